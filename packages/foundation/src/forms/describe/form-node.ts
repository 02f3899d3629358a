import type { JsonValue } from '@parley/mcp'

import type { Path } from '../path.ts'

/** One field of a form, with its part of the value. A form is a tree of them. */
export type FormNode =
  | ObjectNode
  | ArrayNode
  | TextNode
  | NumberNode
  | BooleanNode
  | ChoiceNode
  | ChoicesNode
  | UnionNode
  | JsonNode

/** What every field has. */
export interface NodeBase {
  readonly path: Path
  /** The schema's title, or the name of the member. */
  readonly label: string
  readonly description?: string | undefined
  /** Whether its parent must have it. */
  readonly required: boolean
  /** Whether null is one of its values. */
  readonly nullable: boolean
  /** Absent, null and a value are three different things. */
  readonly presence: 'absent' | 'null' | 'value'
  readonly deprecated: boolean
  readonly readOnly: boolean
  readonly default?: JsonValue | undefined
  readonly examples: readonly JsonValue[]
  /** What the schema says that fields cannot show; for a person. */
  readonly notes: readonly string[]
  /** What to put where nothing is yet: the default, what is constant, else empty. */
  readonly start: () => JsonValue
}

/** An object: members the schema knows, then those only the value has. */
export interface ObjectNode extends NodeBase {
  readonly kind: 'object'
  /** Empty while an object that may be left out is absent. */
  readonly members: readonly FormNode[]
  readonly extras: readonly FormNode[]
  /** How many absent members the schema knows besides; too many to show. */
  readonly hidden: number
  /** Whether further members may be added. `free`: the schema says nothing of members at all. */
  readonly more: 'closed' | 'allowed' | 'free' | 'offered'
  /** Patterns a further name may match, where the schema has some. */
  readonly namePatterns: readonly string[]
  readonly startMember: (name: string) => JsonValue
}

/** A list of fields. */
export interface ArrayNode extends NodeBase {
  readonly kind: 'array'
  readonly items: readonly FormNode[]
  /** How many of the first items have a place and a meaning of their own. */
  readonly fixed: number
  readonly canAdd: boolean
  readonly canRemove: boolean
  readonly startItem: (index: number) => JsonValue
}

/** A text. */
export interface TextNode extends NodeBase {
  readonly kind: 'text'
  readonly value: string | undefined
  readonly format?: string | undefined
  /** Bytes of a file as text, and how they are written. */
  readonly file?: 'base64' | 'data-url' | undefined
  /** The type of what the text holds, such as `image/png`. */
  readonly mediaType?: string | undefined
  readonly isSecret: boolean
  readonly minLength?: number | undefined
  readonly maxLength?: number | undefined
  readonly patterns: readonly string[]
}

/** A number. */
export interface NumberNode extends NodeBase {
  readonly kind: 'number'
  readonly value: number | undefined
  readonly isInteger: boolean
  readonly minimum?: number | undefined
  readonly maximum?: number | undefined
  readonly multipleOf?: number | undefined
}

/** True or false. */
export interface BooleanNode extends NodeBase {
  readonly kind: 'boolean'
  readonly value: boolean | undefined
}

/** One of given values. */
export interface ChoiceNode extends NodeBase {
  readonly kind: 'choice'
  readonly options: readonly Option[]
  readonly value: JsonValue | undefined
  /** Where the value stands among the options; -1 for one that is not there, or absent. */
  readonly selected: number
}

/** Some of given values, each at most once. */
export interface ChoicesNode extends NodeBase {
  readonly kind: 'choices'
  readonly options: readonly Option[]
  readonly value: readonly JsonValue[] | undefined
  readonly minItems?: number | undefined
  readonly maxItems?: number | undefined
}

/** A value to choose. */
export interface Option {
  readonly value: JsonValue
  readonly label: string
  readonly description?: string | undefined
}

/** One of several shapes, and the value in the one it has. */
export interface UnionNode extends NodeBase {
  readonly kind: 'union'
  readonly variants: readonly Variant[]
  /** -1 when there is no value yet, or none of the shapes holds it. */
  readonly selected: number
  /** What the selected shape alone would say: better told than that none of the shapes fits. */
  readonly issues: readonly FormIssue[]
  /** The value as that shape; absent without a value. */
  readonly node: FormNode | undefined
}

/** One thing that is wrong with a value, at the field it concerns. */
export interface FormIssue {
  readonly path: Path
  readonly pointer: string
  readonly message: string
}

/** One shape a value can take. */
export interface Variant {
  readonly label: string
  readonly description?: string | undefined
  /** A value of this shape that keeps what it can of the present one. */
  readonly start: () => JsonValue
}

/** What fields cannot show; edited as JSON. */
export interface JsonNode extends NodeBase {
  readonly kind: 'json'
  readonly value: JsonValue | undefined
  readonly reason: JsonReason
}

/**
 * Why a node is JSON. `any`: every value will do. `mismatch`: the value has another type than the schema wants.
 * `unknown`: the schema uses words or references we do not know. `deep`, `large`: beyond the form's bounds.
 */
export type JsonReason = 'any' | 'mismatch' | 'unknown' | 'impossible' | 'deep' | 'large'
