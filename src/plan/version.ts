/** The version of Incipit, as it stands in every stamp. A test keeps it equal to the package's. */
export const incipitVersion = "0.1.0";
