import type { JsonObject } from '@parley/mcp'

/** How one tool is shown to clients. */
export interface ToolRule {
  /** What clients call it, instead of the name that the strategy gives it. */
  readonly name?: string | undefined
  readonly title?: string | undefined
  readonly description?: string | undefined
  /** Not offered at all. @defaultValue false */
  readonly isHidden?: boolean | undefined
  /** Arguments that clients neither see nor set. */
  readonly hide?: readonly string[] | undefined
  /** Arguments for calls that do not give them; for hidden ones, always. */
  readonly defaults?: JsonObject | undefined
  /** Hints that replace those of the server. */
  readonly annotations?: JsonObject | undefined
}
