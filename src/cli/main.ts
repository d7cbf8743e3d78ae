#!/usr/bin/env node
import { runProgram } from "./program.ts";
import { openTerminal } from "./terminal.ts";

process.exitCode = await runProgram(process.argv.slice(2), openTerminal());
