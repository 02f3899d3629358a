import type { JsonValue } from '@parley/mcp'
import { isJsonObject } from '@parley/mcp/json'

import { createChecker, type Checker } from '../check.ts'
import type { Source, Subject } from '../schema/gather.ts'
import { openSchema, type SchemaDocument } from '../schema/schema-document.ts'
import { subjectOf } from '../schema/subject.ts'
import { makeValue } from '../values/make-value.ts'
import { describe } from './describe.ts'
import type { FormContext } from './form-context.ts'
import type { FormNode } from './form-node.ts'

/** How a form is made. */
export interface FormOptions {
  /** The name of the whole; the schema's own title comes first. @defaultValue 'Value' */
  readonly label?: string | undefined
  /** Which shape a person has chosen, by pointer; kept where more than one holds the value. */
  readonly chosen?: ReadonlyMap<string, number> | undefined
}

/** Schemas read, and fields made, for one form; whatever is beyond is shown as JSON. */
const maximumWork = 20_000
const maximumNodes = 4000

/**
 * The fields of a schema with a value in them. Total: every part of the value is in exactly one node, whatever the
 * schema says, and it ends for every schema.
 */
export function describeForm(
  schema: unknown,
  value: JsonValue | undefined,
  { label = 'Value', chosen = new Map() }: FormOptions = {},
): FormNode {
  const { source, subject } = open(schema)
  const context: FormContext = { source, chosen, nodes: maximumNodes, describe }
  const slot = { path: [], name: label, required: true, depth: 0, absentDepth: 0 }
  return describe(context, subject, value, slot)
}

/** An example for a schema, with something in every field. */
export function sampleOf(schema: unknown): JsonValue {
  const { source, subject } = open(schema)
  return makeValue(source, subject, 'sample')
}

/** The least a form can begin with: defaults and constants. */
export function startOf(schema: unknown): JsonValue {
  const { source, subject } = open(schema)
  return makeValue(source, subject, 'start')
}

/** Returns the initial value of a form whose defaults are sent unless they are changed: all defaults, and constants. */
export function defaultsOf(schema: unknown): JsonValue {
  const { source, subject } = open(schema)
  return makeValue(source, subject, 'defaults')
}

interface Opened {
  readonly document: SchemaDocument
  readonly checker: Checker
}

/** Forms are described on every key press: what was read and compiled of a schema is kept as long as it. */
const opened = new WeakMap<object, Opened>()

function open(schema: unknown): { readonly source: Source; readonly subject: Subject } {
  const { document, checker } = (isJsonObject(schema) && opened.get(schema)) || read(schema)
  return {
    source: { document, checker, budget: maximumWork },
    subject: subjectOf([document.root]),
  }
}

function read(schema: unknown): Opened {
  const document = openSchema(schema)
  const compiled = { document, checker: createChecker(document) }
  if (isJsonObject(schema)) opened.set(schema, compiled)
  return compiled
}
