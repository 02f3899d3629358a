import { rewriteHandler } from './handler.ts'
import { addOptions, optionsOf, takeCompleters, wrapShape } from './schemas.ts'
import type { Source } from './source.ts'
import {
  identifier,
  part,
  parts,
  propertyOf,
  stringValue,
  valueOf,
  keyOf,
  type TreeNode,
} from './tree.ts'

/** `registerTool(name, config, handler)`. */
export function registerTool(source: Source, call: TreeNode, method: TreeNode): void {
  const [, config, handler] = parts(call, 'arguments')
  if (config === undefined || handler === undefined) return
  source.edits.replace(method, 'tool')
  const options = optionsOf(source, config)
  if (options === undefined) {
    source.leave(config, 'inputSchema and outputSchema must be schemas, not shapes', 'api-names')
    rewriteHandler(source, handler, { kind: 'tool', hasInput: true })
    return
  }
  const input = valueOf(options, 'inputSchema')
  const output = valueOf(options, 'outputSchema')
  for (const schema of [input, output]) if (schema !== undefined) wrapShape(source, schema)
  rewriteHandler(source, handler, {
    kind: 'tool',
    hasInput: input !== undefined,
    hasOutput: output !== undefined,
  })
}

/** The older `tool(name, description?, shape?, annotations?, handler)`. */
export function olderTool(source: Source, call: TreeNode): void {
  const args = parts(call, 'arguments')
  const [name, ...middle] = args.slice(0, -1)
  const handler = args.at(-1)
  if (name === undefined || handler === undefined) return
  const roles = new Map<string, TreeNode>()
  for (const item of middle) roles.set(roleOf(source, item, roles), item)
  const input = roles.get('inputSchema')
  if (input !== undefined) wrapShape(source, input)
  mergeOptions(source, name, middle, roles)
  rewriteHandler(source, handler, { kind: 'tool', hasInput: input !== undefined })
}

/** The older `prompt(name, description?, shape?, handler)`. */
export function olderPrompt(source: Source, call: TreeNode): void {
  const args = parts(call, 'arguments')
  const [name, ...middle] = args.slice(0, -1)
  const handler = args.at(-1)
  if (name === undefined || handler === undefined) return
  const roles = new Map<string, TreeNode>()
  for (const item of middle)
    roles.set(isText(source, item) ? 'description' : 'argumentsSchema', item)
  const shape = roles.get('argumentsSchema')
  const completers = takeCompleters(source, shape)
  if (shape !== undefined) wrapShape(source, shape)
  mergeOptions(source, name, middle, roles, completers)
  rewriteHandler(source, handler, { kind: 'prompt', hasInput: shape !== undefined })
}

/** What stood between the name and the handler becomes one object. */
function mergeOptions(
  source: Source,
  name: TreeNode,
  middle: readonly TreeNode[],
  roles: ReadonlyMap<string, TreeNode>,
  completers: readonly string[] = [],
): void {
  const [first] = middle
  const last = middle.at(-1)
  if (first === undefined || last === undefined) return source.edits.insert(name.end, ', {}')
  source.edits.replace({ start: name.end, end: last.end }, () => {
    const options = [...roles].map(([role, node]) => `${role}: ${source.render(node)}`)
    if (completers.length > 0) options.push(`complete: { ${completers.join(', ')} }`)
    const gap = source.tree.text.slice(name.end, first.start)
    return `${gap}{ ${options.join(', ')} }`
  })
}

const annotationNames = new Set([
  'title',
  'readOnlyHint',
  'destructiveHint',
  'idempotentHint',
  'openWorldHint',
])

function roleOf(source: Source, node: TreeNode, roles: ReadonlyMap<string, unknown>): string {
  if (isText(source, node) && !roles.has('description')) return 'description'
  const keys = parts(optionsOf(source, node), 'properties').map((item) => keyOf(item) ?? '')
  const isAnnotations = keys.length > 0 && keys.every((key) => annotationNames.has(key))
  const isHint = keys.some((key) => key.endsWith('Hint'))
  return roles.has('inputSchema') || (isAnnotations && isHint) ? 'annotations' : 'inputSchema'
}

function isText(source: Source, node: TreeNode): boolean {
  if (stringValue(node) !== undefined || /^(TemplateLiteral|BinaryExpression)$/.test(node.type))
    return true
  const meaning = source.meaning(identifier(node))
  return meaning !== undefined && isText(source, meaning)
}

/** `registerPrompt(name, config, handler)`. */
export function registerPrompt(source: Source, call: TreeNode, method: TreeNode): void {
  const [, config, handler] = parts(call, 'arguments')
  if (config === undefined || handler === undefined) return
  source.edits.replace(method, 'prompt')
  const options = optionsOf(source, config)
  const schema = propertyOf(options, 'argsSchema')
  const shape = part(schema, 'value')
  const key = part(schema, 'key')
  if (schema !== undefined && shape !== undefined && key !== undefined) {
    const completers = takeCompleters(source, shape)
    const isShort = schema['shorthand'] === true
    if (isShort) source.edits.replace(schema, `argumentsSchema: ${source.zod()}.object(argsSchema)`)
    else {
      source.edits.replace(key, 'argumentsSchema')
      wrapShape(source, shape)
    }
    if (options !== undefined && completers.length > 0) {
      addOptions(source, options, [`complete: { ${completers.join(', ')} }`])
    }
  } else if (options === undefined) {
    source.leave(config, 'argsSchema is argumentsSchema here, and a schema', 'api-names')
  }
  rewriteHandler(source, handler, {
    kind: 'prompt',
    hasInput: shape !== undefined || options === undefined,
  })
}

/** `registerResource(name, uri or template, config, handler)`, also without a config. */
export function registerResource(source: Source, call: TreeNode, method: TreeNode): void {
  const args = parts(call, 'arguments')
  const [name, where] = args
  const handler = args.at(-1)
  const config = args.length > 3 ? args[2] : undefined
  if (name === undefined || where === undefined || handler === undefined) return
  source.edits.replace(method, 'resource')
  const template = templateOf(source, where)
  const uri = template === undefined ? where : (parts(template, 'arguments')[0] ?? where)
  const callbacks = optionsOf(source, parts(template, 'arguments')[1])
  for (const item of parts(callbacks, 'properties')) listsPlainly(source, item)
  const added = () => [
    `name: ${source.render(name)}`,
    ...parts(callbacks, 'properties')
      .filter((candidate) => identifier(part(candidate, 'value')) !== 'undefined')
      .map((item) => source.render(item)),
  ]
  const last = config ?? where
  if (config !== undefined && optionsOf(source, config) !== config) {
    const rest = source.tree.textOf(config)
    source.edits.replace(
      { start: name.start, end: last.end },
      () => `${source.render(uri)}, { ...${rest}, ${added().join(', ')} }`,
    )
  } else {
    source.edits.replace({ start: name.start, end: last.end }, () => {
      const options = [
        ...added(),
        ...parts(config, 'properties').map((item) => source.render(item)),
      ]
      return `${source.render(uri)}, { ${options.join(', ')} }`
    })
  }
  if (template !== undefined && template !== where) removeDeclaration(source, template)
  if (template === undefined && !isText(source, where) && parts(handler, 'params').length > 1) {
    source.leave(where, 'this must be the text of a URI or of a template', 'api-names')
  }
  rewriteHandler(source, handler, {
    kind: 'resource',
    hasInput: template !== undefined || !isText(source, where),
  })
}

function templateOf(source: Source, where: TreeNode): TreeNode | undefined {
  const node = where.type === 'Identifier' ? source.meaning(identifier(where)) : where
  const name = source.official('ResourceTemplate')
  const isTemplate = node?.type === 'NewExpression' && identifier(part(node, 'callee')) === name
  return isTemplate && name !== undefined ? node : undefined
}

/** `list` returned `{ resources }`; ours returns the resources. */
function listsPlainly(source: Source, property: TreeNode): void {
  if (keyOf(property) !== 'list') return
  const list = part(property, 'value')
  if (identifier(list) === 'undefined') return
  const body = part(list, 'body')
  const resources = valueOf(body, 'resources')
  if (list !== undefined && body?.type === 'ObjectExpression' && resources !== undefined) {
    const open = source.tree.text.lastIndexOf('(', body.start)
    const close = source.tree.text.indexOf(')', body.end) + 1
    return source.edits.replace({ start: open, end: close }, () => source.render(resources))
  }
  if (list === undefined) return
  source.edits.replace(list, () => `async () => (await (${source.tree.textOf(list)})()).resources`)
}

/** A constant that is used up where it was named. */
export function removeDeclaration(source: Source, value: TreeNode): void {
  const declarator = source.tree.parentOf(value)
  const declaration = declarator && source.tree.parentOf(declarator)
  if (
    declaration?.type !== 'VariableDeclaration' ||
    parts(declaration, 'declarations').length !== 1
  )
    return
  removeStatement(source, declaration)
}

/** A statement, with its line if it is alone there. */
export function removeStatement(source: Source, { start, end }: TreeNode): void {
  const { text } = source.tree
  const lineStart = text.lastIndexOf('\n', start - 1) + 1
  const lineEnd = text.indexOf('\n', end)
  const isAlone =
    text.slice(lineStart, start).trim() === '' && text.slice(end, lineEnd).trim() === ''
  if (isAlone && lineEnd !== -1) source.edits.replace({ start: lineStart, end: lineEnd + 1 }, '')
  else source.edits.replace({ start, end }, '')
}
