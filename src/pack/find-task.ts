import { IncipitError, toHint } from "../text/index.ts";
import type { Pack, Task } from "./pack.ts";

/** The task of a pack by `task` or `pack/task`; throws `pack_unknown_task`. */
export function findTask(pack: Pack, name: string): Task {
  if (typeof name !== "string") {
    throw new IncipitError("pack_unknown_task", `A task is named by a text, not ${typeof name}.`, {
      hint: toHint("", pack.tasks.keys()),
    });
  }
  const short = name.startsWith(`${pack.name}/`) ? name.slice(pack.name.length + 1) : name;
  const task = pack.tasks.get(short);
  if (task !== undefined) return task;
  throw new IncipitError("pack_unknown_task", `The pack "${pack.name}" has no task "${short}".`, {
    hint: toHint(short, pack.tasks.keys()),
  });
}
