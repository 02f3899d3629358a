import type { JsonObject } from '../json.ts'
import { createTypeSchemas, type TypeSchemas } from './schema-of-type.ts'
import {
  isNode,
  nameOf,
  NotDefinable,
  nodesOf,
  placeOf,
  type SourceFile,
  type SyntaxNode,
} from './syntax.ts'

/** What a tool is registered with. */
export interface ToolDefinition {
  readonly name: string
  readonly description?: string | undefined
  readonly inputSchema: JsonObject
  /** Whether its function has a parameter. */
  readonly hasInput: boolean
  readonly outputSchema?: JsonObject | undefined
}

/** The tools of a file, and what in it is none, each with its place and reason. */
export interface DefinedTools {
  readonly tools: readonly ToolDefinition[]
  readonly refused: readonly string[]
}

/** Each exported function is a tool: its doc comment, its one parameter and what it returns say what it is. */
export function defineTools(source: SourceFile): DefinedTools {
  const schemas = createTypeSchemas(source)
  const tools: ToolDefinition[] = []
  const refused: string[] = []
  for (const statement of source.body) {
    const declaration = statement['declaration']
    if (statement.type !== 'ExportNamedDeclaration' || !isNode(declaration)) continue
    if (declaration.type !== 'FunctionDeclaration') continue
    const name = nameOf(declaration['id']) ?? ''
    try {
      const description = source.docBefore(statement.start)
      const input = inputOf(declaration, schemas)
      const output = outputOf(declaration, schemas)
      tools.push({
        name,
        ...(description !== undefined && { description }),
        inputSchema: input,
        hasInput: nodesOf(declaration['params']).length > 0,
        ...(output !== undefined && { outputSchema: output }),
      })
    } catch (error) {
      if (!(error instanceof NotDefinable)) throw error
      refused.push(`${placeOf(source, error.start)}: ${name}: ${error.message}`)
    }
  }
  return { tools, refused }
}

/** The type of the first parameter; a second is the context of the call, and its own business. */
function inputOf(declaration: SyntaxNode, schemas: TypeSchemas): JsonObject {
  const [first] = nodesOf(declaration['params'])
  if (declaration['typeParameters']) {
    throw new NotDefinable('a generic function has no single type', declaration.start)
  }
  if (first === undefined) return { type: 'object', properties: {}, additionalProperties: false }
  const annotation = first['typeAnnotation']
  const type = isNode(annotation) ? annotation['typeAnnotation'] : undefined
  if (!isNode(type)) throw new NotDefinable('its parameter has no type', first.start)
  const schema = schemas.documentOf(type)
  if (schema['type'] === 'object') return schema
  throw new NotDefinable('the parameter of a tool must be an object', type.start)
}

/** What a returned object holds; texts, and what says nothing, need no schema. */
function outputOf(declaration: SyntaxNode, schemas: TypeSchemas): JsonObject | undefined {
  const annotation = declaration['returnType']
  const type = isNode(annotation) ? annotation['typeAnnotation'] : undefined
  if (!isNode(type)) return undefined
  const awaited = awaitedType(type)
  if (/^TS(?:String|Void|Undefined|Unknown)Keyword$/.test(awaited.type)) return undefined
  const schema = schemas.documentOf(awaited)
  if (schema['type'] === 'object') return schema
  throw new NotDefinable('a tool must return an object or a string', awaited.start)
}

function awaitedType(type: SyntaxNode): SyntaxNode {
  const given = type['typeArguments']
  const [first] = isNode(given) ? nodesOf(given['params']) : []
  return nameOf(type['typeName']) === 'Promise' && first !== undefined ? first : type
}
