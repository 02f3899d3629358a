import type { PromptArgument } from '../../schema/prompts.ts'
import type { JsonSchema, Schema } from '../../schema/standard-schema.ts'
import { invalidSchema, isStandardSchema } from '../user-schema.ts'

/** The arguments that a schema describes, in its order. Refuses a member that cannot be text. */
export function listArguments(
  { properties = {}, required = [] }: JsonSchema,
  schema: Schema | undefined,
  feature: string,
): readonly PromptArgument[] {
  const listed = Object.entries(properties as Record<string, JsonSchema>) // by JSON Schema's own rules, as below
  return listed.map(([name, { title, description, type = 'string' }]) => {
    if (![type].flat().includes('string') && !mayConvert(name, schema)) {
      const cure = 'prompt arguments are strings, use z.coerce.number<string>() or a transform'
      throw invalidSchema(feature, `${name} cannot be text: ${cure}`)
    }
    return {
      name,
      ...(typeof title === 'string' && { title }),
      ...(typeof description === 'string' && { description }),
      required: (required as readonly string[]).includes(name),
    }
  })
}

/** Zod writes what it converts as what it becomes; of its plain types we know that they convert nothing. */
function mayConvert(name: string, schema: Schema | undefined): boolean {
  if (!isStandardSchema(schema) || schema['~standard'].vendor !== 'zod') return false
  const { shape } = schema as { readonly shape?: Record<string, ZodMember> } // an object of Zod's has it
  let def = shape?.[name]?.def
  while (def?.innerType) def = def.innerType.def
  return def === undefined || def.coerce === true || !plainTypes.test(def.type)
}
const plainTypes = /^(number|boolean|array|object)$/

/** What Zod says of a schema to those who look inside. */
interface ZodMember {
  readonly def: {
    readonly type: string
    readonly coerce?: boolean
    /** Of what may be absent, or has a default. */
    readonly innerType?: ZodMember
  }
}
