/** The types of one tool, as `parley types` writes them and `defineTool` carries them. */
export interface ToolTypes {
  /** The arguments. */
  readonly input: unknown
  /** The structured content of the result. */
  readonly output: unknown
}

/** The constraint on a set of tools by name; interfaces fit it too. */
export type ToolMap<Tools> = { readonly [N in keyof Tools]: ToolTypes }

/** When nothing is known: any name, any object. */
export interface AnyTools {
  /** Any tool. */
  readonly [name: string]: { readonly input: object; readonly output: unknown }
}
