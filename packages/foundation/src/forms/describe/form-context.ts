import type { JsonValue } from '@parley/mcp'

import type { Path } from '../path.ts'
import type { Source, Subject } from '../schema/gather.ts'
import type { FormNode, JsonReason, NodeBase } from './form-node.ts'

/** State shared while one form is described. */
export interface FormContext {
  readonly source: Source
  readonly chosen: ReadonlyMap<string, number>
  /** Fields that may still be made. */
  nodes: number
  /** Makes the fields of a part. */
  readonly describe: Describe
}

/** Makes the field for a value and all that applies to it. */
export type Describe = (
  context: FormContext,
  subject: Subject,
  value: JsonValue | undefined,
  slot: Slot,
) => FormNode

/** Where a field stands. */
export interface Slot {
  readonly path: Path
  readonly name: string
  readonly required: boolean
  readonly depth: number
  /** How many absent parents are above: shown ahead, so that they can be filled at once. */
  readonly absentDepth: number
}

/** The same field as JSON, for what fields cannot show. */
export function asJson(base: NodeBase, value: JsonValue | undefined, reason: JsonReason): FormNode {
  return { ...base, kind: 'json', value, reason }
}
