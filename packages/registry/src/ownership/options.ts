/** Where packages are asked whether they belong to the server that names them. */
export interface OwnershipOptions {
  /** Base URL of the npm registry. Packages of a kind without a base URL are not checked. */
  readonly npm?: string | undefined
  /** Base URL of the Python package index. */
  readonly pypi?: string | undefined
  /** Base URL of the NuGet API, without `/v3/index.json`. */
  readonly nuget?: string | undefined
  /** Base URL of the registry of crates; READMEs are read from `static.` below its host. */
  readonly cargo?: string | undefined
  /** Labels of images. @defaultValue true */
  readonly oci?: boolean | undefined
  /** Whether the file is there. @defaultValue true */
  readonly mcpb?: boolean | undefined
}
