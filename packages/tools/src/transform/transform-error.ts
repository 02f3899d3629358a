/** A rule that cannot be applied: says which, why, and what to write instead. */
export class TransformError extends Error {
  /** Always `TransformError`. */
  override readonly name = 'TransformError'
  /** The tool that the rule is for, by its name before the rules. */
  readonly tool: string
  /** The argument, if the rule is about one. */
  readonly argument: string | undefined

  /** The message names the tool and the argument. */
  constructor(tool: string, argument: string | undefined, why: string) {
    const about = argument === undefined ? '' : `, argument ${JSON.stringify(argument)}`
    super(`rule for tool ${JSON.stringify(tool)}${about}: ${why}`)
    this.tool = tool
    this.argument = argument
  }
}
