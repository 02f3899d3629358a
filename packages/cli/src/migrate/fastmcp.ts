import { addFastPrompt, addFastResource, addFastTool } from './fastmcp-features.ts'
import type { Source } from './source.ts'
import {
  identifier,
  keyOf,
  memberName,
  nodesIn,
  part,
  parts,
  propertyOf,
  stringValue,
  valueOf,
  type TreeNode,
} from './tree.ts'

/** Options of a server that are the same here. */
const sameOptions = new Set(['name', 'version', 'instructions', 'title', 'websiteUrl', 'icons'])

/** Moves servers of FastMCP for TypeScript. */
export function migrateFastMcp(source: Source): void {
  const name = source.official('FastMCP')
  if (name === undefined) return
  const servers = new Set<string>()
  for (const node of nodesIn(source.tree.root)) {
    const callee = part(node, 'callee')
    if (node.type === 'NewExpression' && callee !== undefined && identifier(callee) === name) {
      const parent = source.tree.parentOf(node)
      const target = part(parent, 'id') ?? part(parent, 'left')
      if (target !== undefined) servers.add(source.tree.textOf(target))
      create(source, node, callee)
    }
    if (node.type === 'CallExpression') migrateCall(source, node, callee, servers)
  }
}

function create(source: Source, node: TreeNode, callee: TreeNode): void {
  const [options] = parts(node, 'arguments')
  const type = part(node, 'typeArguments')
  source.edits.replace(
    { start: node.start, end: (type ?? callee).end },
    source.use('createServer', '@parley/mcp/server'),
  )
  for (const item of parts(options, 'properties')) {
    const key = keyOf(item) ?? ''
    if (sameOptions.has(key)) continue
    const hint =
      key === 'authenticate'
        ? 'pass auth to serveHttp'
        : `the option ${key} has no counterpart of this name`
    source.leave(item, hint, 'fastmcp')
  }
}

function migrateCall(
  source: Source,
  call: TreeNode,
  callee: TreeNode | undefined,
  servers: ReadonlySet<string>,
): void {
  const method = part(callee, 'property')
  const [object] = parts(call, 'arguments')
  const name = memberName(callee)
  if (method === undefined) {
    const isContent = [source.official('imageContent'), source.official('audioContent')].includes(
      identifier(callee) ?? '-',
    )
    if (isContent)
      source.leave(
        call,
        'return image(bytes, mimeType) or audio(bytes, mimeType) of @parley/mcp',
        'fastmcp',
      )
    return
  }
  const kinds = {
    addTool: addFastTool,
    addResource: addFastResource,
    addResourceTemplate: addFastResource,
    addPrompt: addFastPrompt,
  }
  const add = Object.entries(kinds).find(([key]) => key === name)?.[1]
  if (add !== undefined) {
    if (object?.type === 'ObjectExpression') return add(source, object, method)
    return source.leave(
      call,
      'write tool(name, options, handler), resource(uri, …) or prompt(name, …)',
      'fastmcp',
    )
  }
  const receiver = part(callee, 'object')
  const isServer = receiver !== undefined && servers.has(source.tree.textOf(receiver))
  if (name === 'start' && isServer) start(source, call, object)
  if (name === 'sendResourceUpdated' && isServer && object !== undefined) {
    source.edits.replace(method, 'notifyChanged')
    source.edits.insert(object.start, '{ uri: ')
    source.edits.insert(object.end, ' }')
  }
}

/** `start({ transportType })`. */
function start(source: Source, call: TreeNode, options: TreeNode | undefined): void {
  const receiver = part(part(call, 'callee'), 'object')
  const kind =
    stringValue(valueOf(options, 'transportType')) ?? (options === undefined ? 'stdio' : undefined)
  const parent = source.tree.parentOf(call)
  const whole = parent?.type === 'AwaitExpression' ? parent : call
  if (receiver === undefined) return
  const server = source.tree.textOf(receiver)
  if (kind === 'stdio')
    return source.edits.replace(
      whole,
      `${source.use('serveStdio', '@parley/mcp/stdio')}(${server})`,
    )
  const http = valueOf(options, 'httpStream')
  const names: { readonly [name: string]: string } = {
    port: 'port',
    endpoint: 'path',
    host: 'host',
  }
  const isKnown = parts(http, 'properties').every((candidate) =>
    Object.hasOwn(names, keyOf(candidate) ?? '-'),
  )
  if (kind !== 'httpStream' || propertyOf(options, 'httpStream') === undefined || !isKnown) {
    return source.leave(
      call,
      'write serveStdio(server), or serveHttp(server, { port, path })',
      'fastmcp',
    )
  }
  const serve = source.use('serveHttp', '@parley/mcp/node')
  const settings = parts(http, 'properties').map((item) => {
    const value = part(item, 'value')
    return `${names[keyOf(item) ?? ''] ?? ''}: ${value === undefined ? '' : source.tree.textOf(value)}`
  })
  source.edits.replace(call, `${serve}(${server}, { ${settings.join(', ')} })`)
}
