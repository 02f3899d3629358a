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

/** Properties of every field. */
export interface NodeBase {
  /** Where it is, as names and indices. */
  readonly path: Path
  /** The schema's title, or the name of the member. */
  readonly label: string
  /** The schema's description, for people. */
  readonly description?: string | undefined
  /** Whether its parent must have it. */
  readonly required: boolean
  /** Whether null is one of its values. */
  readonly nullable: boolean
  /** Absent, null and a value are three different things. */
  readonly presence: 'absent' | 'null' | 'value'
  /** The schema advises against it. */
  readonly deprecated: boolean
  /** The schema says that it is not to be changed. */
  readonly readOnly: boolean
  /** The schema's default. */
  readonly default?: JsonValue | undefined
  /** The schema's examples; empty if it has none. */
  readonly examples: readonly JsonValue[]
  /** Notes of the schema that fields cannot show; for people. */
  readonly notes: readonly string[]
  /** Returns the initial value: the default, a constant, else empty. */
  readonly start: () => JsonValue
}

/** An object: members the schema knows, then those only the value has. */
export interface ObjectNode extends NodeBase {
  /** Says that it is an object. */
  readonly kind: 'object'
  /** Empty while an object that may be left out is absent. */
  readonly members: readonly FormNode[]
  /** Members of the value that the schema does not name. */
  readonly extras: readonly FormNode[]
  /** How many absent members the schema knows besides; too many to show. */
  readonly hidden: number
  /** Whether further members may be added. `free`: the schema says nothing of members at all. */
  readonly more: 'closed' | 'allowed' | 'free' | 'offered'
  /** Patterns a further name may match, where the schema has some. */
  readonly namePatterns: readonly string[]
  /** Returns the initial value of a member. */
  readonly startMember: (name: string) => JsonValue
}

/** A list of fields. */
export interface ArrayNode extends NodeBase {
  /** Says that it is a list. */
  readonly kind: 'array'
  /** One field per item. */
  readonly items: readonly FormNode[]
  /** How many of the first items have a place and a meaning of their own. */
  readonly fixed: number
  /** Another item may be added. */
  readonly canAdd: boolean
  /** An item may be removed. */
  readonly canRemove: boolean
  /** Returns the initial value of an item. */
  readonly startItem: (index: number) => JsonValue
}

/** A text. */
export interface TextNode extends NodeBase {
  /** Says that it is text. */
  readonly kind: 'text'
  /** The current value; undefined if it is absent or has another type. */
  readonly value: string | undefined
  /** The `format` of the schema, such as `email` or `date-time`. */
  readonly format?: string | undefined
  /** Bytes of a file as text, and how they are written. */
  readonly file?: 'base64' | 'data-url' | undefined
  /** The type of what the text holds, such as `image/png`. */
  readonly mediaType?: string | undefined
  /** Do not show what is typed. */
  readonly isSecret: boolean
  /** The fewest characters. */
  readonly minLength?: number | undefined
  /** The most characters. */
  readonly maxLength?: number | undefined
  /** Regular expressions that it must match; empty if there are none. */
  readonly patterns: readonly string[]
}

/** A number. */
export interface NumberNode extends NodeBase {
  /** Says that it is a number. */
  readonly kind: 'number'
  /** The current value; undefined if it is absent or has another type. */
  readonly value: number | undefined
  /** Only whole numbers fit. */
  readonly isInteger: boolean
  /** The smallest that fits. */
  readonly minimum?: number | undefined
  /** The largest that fits. */
  readonly maximum?: number | undefined
  /** The number that it must be a multiple of. */
  readonly multipleOf?: number | undefined
}

/** True or false. */
export interface BooleanNode extends NodeBase {
  /** Says that it is a boolean. */
  readonly kind: 'boolean'
  /** The current value; undefined if it is absent or has another type. */
  readonly value: boolean | undefined
}

/** One of given values. */
export interface ChoiceNode extends NodeBase {
  /** Says that it is one of given values. */
  readonly kind: 'choice'
  /** The values to choose from. */
  readonly options: readonly Option[]
  /** The current value; undefined if it is absent. */
  readonly value: JsonValue | undefined
  /** Where the value stands among the options; -1 for one that is not there, or absent. */
  readonly selected: number
}

/** Some of given values, each at most once. */
export interface ChoicesNode extends NodeBase {
  /** Says that it is some of given values. */
  readonly kind: 'choices'
  /** The values to choose from. */
  readonly options: readonly Option[]
  /** The current value; undefined if it is absent. */
  readonly value: readonly JsonValue[] | undefined
  /** The fewest that must be chosen. */
  readonly minItems?: number | undefined
  /** The most that may be chosen. */
  readonly maxItems?: number | undefined
}

/** A value to choose. */
export interface Option {
  /** The value. */
  readonly value: JsonValue
  /** The text for people. */
  readonly label: string
  /** More about it, for people. */
  readonly description?: string | undefined
}

/** One of several shapes, and the value in the one it has. */
export interface UnionNode extends NodeBase {
  /** Says that it has one of several shapes. */
  readonly kind: 'union'
  /** The shapes to choose from. */
  readonly variants: readonly Variant[]
  /** -1 when there is no value yet, or none of the shapes holds it. */
  readonly selected: number
  /** The issues by the selected shape alone: clearer than that none of the shapes matches. */
  readonly issues: readonly FormIssue[]
  /** The value as that shape; absent without a value. */
  readonly node: FormNode | undefined
}

/** One thing that is wrong with a value, at the field it concerns. */
export interface FormIssue {
  /** Where it is, as names and indices. */
  readonly path: Path
  /** Where it is, as a JSON Pointer. */
  readonly pointer: string
  /** The issue, for people. */
  readonly message: string
}

/** One shape a value can take. */
export interface Variant {
  /** The text for people. */
  readonly label: string
  /** More about it, for people. */
  readonly description?: string | undefined
  /** A value of this shape that keeps what it can of the present one. */
  readonly start: () => JsonValue
}

/** A value that fields cannot show; edited as JSON. */
export interface JsonNode extends NodeBase {
  /** Says that it is edited as JSON. */
  readonly kind: 'json'
  /** The current value; undefined if it is absent. */
  readonly value: JsonValue | undefined
  /** Why fields cannot show it. */
  readonly reason: JsonReason
}

/**
 * Why a node is JSON. `any`: every value will do. `mismatch`: the value has another type than the schema wants.
 * `unknown`: the schema uses words or references we do not know. `deep`, `large`: beyond the form's bounds.
 */
export type JsonReason = 'any' | 'mismatch' | 'unknown' | 'impossible' | 'deep' | 'large'
