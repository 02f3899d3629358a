import { toolResult, type ToolResult } from '@parley/mcp/server'

/** A value as schemas describe it: they know no `readonly`. */
export type Writable<Value> = Value extends readonly (infer Item)[]
  ? Writable<Item>[]
  : Value extends object
    ? { -readonly [Key in keyof Value]: Writable<Value[Key]> }
    : Value

/** A value as structured content, and as JSON with two spaces for those who read text: of it, or of a part of it. */
export function prettyResult<Value>(
  value: Value,
  shown: unknown = value,
): ToolResult<Writable<Value>> {
  const structuredContent = value as Writable<Value> // it is written to the wire, and never to
  return toolResult({ structuredContent, content: [JSON.stringify(shown, undefined, 2)] })
}
