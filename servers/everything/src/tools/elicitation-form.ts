import { jsonSchema, type JsonObject, type Revision, type StandardSchema } from '@parley/mcp'

/** What a filled-in form holds: answers by field. */
export interface FormContent {
  readonly [field: string]: string | number | boolean | readonly string[]
}

/** The values that can be chosen are those of the reference, so that what answers one server answers the other. */
const fields = {
  name: { type: 'string', title: 'String', description: 'Your name' },
  check: { type: 'boolean', title: 'Boolean', description: 'Whether you agree' },
  firstLine: {
    type: 'string',
    title: 'String with default',
    description: 'How a story begins',
    default: 'It was a dark and stormy night.',
  },
  email: { type: 'string', title: 'Email', description: 'Where to write to', format: 'email' },
  homepage: { type: 'string', title: 'URI', description: 'A page of yours', format: 'uri' },
  birthdate: { type: 'string', title: 'Date', description: 'A birthday', format: 'date' },
  integer: {
    type: 'integer',
    title: 'Integer',
    description: 'A whole number from 1 to 100',
    minimum: 1,
    maximum: 100,
    default: 42,
  },
  number: {
    type: 'number',
    title: 'Number',
    description: 'Any number from 0 to 1000',
    minimum: 0,
    maximum: 1000,
    default: 3.14,
  },
  untitledSingleSelectEnum: {
    type: 'string',
    title: 'One of several',
    enum: ['Monica', 'Rachel', 'Joey', 'Chandler', 'Ross', 'Phoebe'],
    default: 'Monica',
  },
  untitledMultipleSelectEnum: {
    type: 'array',
    title: 'Several of several',
    items: { type: 'string', enum: ['Guitar', 'Piano', 'Violin', 'Drums', 'Bass'] },
    minItems: 1,
    maxItems: 3,
    default: ['Guitar'],
  },
  titledSingleSelectEnum: {
    type: 'string',
    title: 'One of several, with titles',
    oneOf: [
      { const: 'hero-1', title: 'The first hero' },
      { const: 'hero-2', title: 'The second hero' },
      { const: 'hero-3', title: 'The third hero' },
    ],
    default: 'hero-1',
  },
  titledMultipleSelectEnum: {
    type: 'array',
    title: 'Several of several, with titles',
    items: {
      anyOf: [
        { const: 'fish-1', title: 'Tuna' },
        { const: 'fish-2', title: 'Salmon' },
        { const: 'fish-3', title: 'Trout' },
      ],
    },
    minItems: 1,
    maxItems: 3,
    default: ['fish-1'],
  },
  legacyTitledEnum: {
    type: 'string',
    title: 'One of several, with titles as they were written before',
    enum: ['pet-1', 'pet-2', 'pet-3', 'pet-4', 'pet-5'],
    enumNames: ['Cat', 'Dog', 'Bird', 'Fish', 'Lizard'],
    default: 'pet-1',
  },
} satisfies Record<string, JsonObject>

/** Fields with several answers came with 2025-11-25; asking an older client for them is refused. */
const singleAnswers = Object.fromEntries(
  Object.entries(fields).filter(([, { type }]) => type !== 'array'),
)

const plainForm = form(singleAnswers)
const fullForm = form(fields)

/** The form as far as a revision can ask it. */
export function formFor(revision: Revision): StandardSchema<FormContent> {
  return revision >= '2025-11-25' ? fullForm : plainForm
}

function form(properties: JsonObject): StandardSchema<FormContent> {
  return jsonSchema<FormContent>({ type: 'object', properties, required: ['name'] })
}
