import type { ToolAnnotations } from '@parley/mcp'

/** What a tool does to what is there: looks at it, adds to it, or may take something away or overwrite it. */
export type ToolEffect = 'reads' | 'adds' | 'destroys'

/** What else a host may want to know before it calls a tool. */
export interface ToolHintOptions {
  /** The same call again changes nothing more. @defaultValue true if it reads, else false */
  readonly idempotent?: boolean | undefined
  /** Reaches other machines, such as the web. @defaultValue false */
  readonly openWorld?: boolean | undefined
}

/** All four hints of a tool. The protocol's own defaults assume the worst, so none is left to them. */
export function toolHints(
  effect: ToolEffect,
  { idempotent = effect === 'reads', openWorld = false }: ToolHintOptions = {},
): Required<Omit<ToolAnnotations, 'title'>> {
  return {
    readOnlyHint: effect === 'reads',
    destructiveHint: effect === 'destroys',
    idempotentHint: idempotent,
    openWorldHint: openWorld,
  }
}
