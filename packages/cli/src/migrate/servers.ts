import { createFromInfo } from './create-server.ts'
import { moveErrorHandler } from './error-handler.ts'
import {
  olderPrompt,
  olderTool,
  registerPrompt,
  registerResource,
  registerTool,
  removeDeclaration,
  removeStatement,
} from './registrations.ts'
import type { Source } from './source.ts'
import { identifier, memberName, nodesIn, part, parts, type TreeNode } from './tree.ts'

/** Moves what concerns high-level servers of both generations. */
export function migrateServers(source: Source): void {
  const { tree } = source
  const servers = serverNames(source)
  for (const node of nodesIn(tree.root)) {
    if (node.type === 'NewExpression') migrateNew(source, node)
    if (node.type === 'CallExpression') migrateCall(source, node, servers)
    if (node.type === 'AssignmentExpression') migrateAssignment(source, node, servers)
    if (
      node.type === 'TSTypeReference' &&
      named(part(node, 'typeName'), source.official('McpServer'))
    ) {
      source.edits.replace(
        node,
        source.use('type Server', '@parley/mcp/server').replace('type ', ''),
      )
    }
  }
}

function named(node: TreeNode | undefined, name: string | undefined): boolean {
  return name !== undefined && identifier(node) === name
}

/** The texts by which servers are known in this file. */
function serverNames(source: Source): ReadonlySet<string> {
  const { tree } = source
  const names = new Set<string>()
  const official = [source.official('McpServer'), source.official('Server')]
  const isName = (node: TreeNode | undefined) => official.some((name) => named(node, name))
  for (const node of nodesIn(tree.root)) {
    if (node.type === 'NewExpression' && isName(part(node, 'callee'))) {
      const parent = tree.parentOf(node)
      const target = part(parent, 'id') ?? part(parent, 'left')
      const key = parent?.type === 'PropertyDefinition' ? part(parent, 'key') : undefined
      if (target !== undefined)
        names.add(
          tree.textOf({ ...target, end: part(target, 'typeAnnotation')?.start ?? target.end }),
        )
      if (key !== undefined) names.add(`this.${tree.textOf(key)}`)
    }
    if (node.type === 'TSTypeReference' && isName(part(node, 'typeName'))) {
      const annotated = tree.parentOf(node)
      const owner = annotated && tree.parentOf(annotated)
      const owned = identifier(owner)
      if (owned !== undefined) names.add(owned)
      const key = owner?.type === 'PropertyDefinition' ? part(owner, 'key') : undefined
      if (key !== undefined) names.add(`this.${tree.textOf(key)}`)
    }
    const method = node.type === 'CallExpression' ? part(node, 'callee') : undefined
    const receiver = part(method, 'object')
    if (receiver !== undefined && /^register(Tool|Prompt|Resource)$/.test(memberName(method) ?? ''))
      names.add(tree.textOf(receiver))
  }
  return names
}

function migrateNew(source: Source, node: TreeNode): void {
  const callee = part(node, 'callee')
  if (named(callee, source.official('McpServer'))) return createFromInfo(source, node)
  for (const transport of [
    'StreamableHTTPServerTransport',
    'NodeStreamableHTTPServerTransport',
    'SSEServerTransport',
    'WebStandardStreamableHTTPServerTransport',
  ]) {
    if (named(callee, source.official(transport))) {
      source.leave(
        node,
        'replace the transport, its routes and sessions by serveHttp(server), or createNodeHandler(server) in your own application',
        'server-before-and-after',
      )
    }
  }
}

function migrateCall(source: Source, call: TreeNode, servers: ReadonlySet<string>): void {
  const callee = part(call, 'callee')
  const method = part(callee, 'property')
  const receiver = part(callee, 'object')
  const name = memberName(callee)
  if (name === undefined || method === undefined || receiver === undefined)
    return migrateFactory(source, call, callee)
  const from = source.tree.textOf(receiver)
  const args = parts(call, 'arguments')
  if (name === 'registerTool' && args.length === 3) return registerTool(source, call, method)
  if (name === 'registerPrompt' && args.length === 3) return registerPrompt(source, call, method)
  if (name === 'registerResource' && args.length >= 3) return registerResource(source, call, method)
  if (name === 'connect' && args.length === 1)
    return connectStdio(source, call, receiver, args[0], servers)
  if (name === 'registerToolTask')
    return source.leave(
      call,
      "write server.tool(name, { task: 'required' }, handler): the task is made for you",
      'api-names',
    )
  const isServer = servers.has(from)
  if (isServer && name === 'tool') return olderTool(source, call)
  if (isServer && name === 'prompt') return olderPrompt(source, call)
  if (isServer && name === 'resource') return registerResource(source, call, method)
  const low = lowLevel(source, receiver, servers)
  if (!isServer && low === undefined) return
  const server = low ?? from
  if (/^send(Tool|Prompt|Resource)ListChanged$/.test(name))
    return dropCall(source, call, 'changes of lists are announced by themselves')
  if (name === 'registerCapabilities')
    return dropCall(source, call, 'capabilities follow from what you register')
  if (name === 'setRequestHandler' && low === undefined) return // looked at with low-level servers
  if (name === 'sendResourceUpdated') {
    const [params] = args
    return source.edits.replace(
      call,
      () => `${server}.notifyChanged(${params === undefined ? '' : source.render(params)})`,
    )
  }
  if (name === 'close')
    return dropCall(source, call, 'close the service that serveStdio returns: service.drain()')
  if (handledInHandlers.has(name) && isInHandler(source, call)) return
  if (handledInHandlers.has(name))
    return source.leave(
      call,
      `${name} belongs to a call: use the context of a handler`,
      'api-names',
    )
  if (low !== undefined || otherMethods.has(name))
    source.leave(
      call,
      `${name} has no counterpart of this name`,
      low === undefined ? 'api-names' : 'low-level-server',
    )
}

const handledInHandlers = new Set([
  'elicitInput',
  'createMessage',
  'listRoots',
  'sendLoggingMessage',
  'getClientCapabilities',
  'notification',
])
const otherMethods = new Set(['isConnected', 'setNotificationHandler'])

/** `server.server`, seen from a call or an assignment: how the server itself is called. */
function lowLevel(
  source: Source,
  receiver: TreeNode,
  servers: ReadonlySet<string>,
): string | undefined {
  const server = part(receiver, 'object')
  if (memberName(receiver) !== 'server' || server === undefined) return undefined
  const text = source.tree.textOf(server)
  return servers.has(text) || /(^|\.)(server|mcpServer|mcp)$/.test(text) ? text : undefined
}

/** Whether an outer call registers the function that this stands in. */
function isInHandler(source: Source, node: TreeNode): boolean {
  const parent = source.tree.parentOf(node)
  if (parent === undefined) return false
  const name = parent.type === 'CallExpression' ? memberName(part(parent, 'callee')) : undefined
  const isLast = parts(parent, 'arguments').at(-1) === node
  return (
    (isLast && /^(register(Tool|Prompt|Resource)|tool|prompt|resource)$/.test(name ?? '')) ||
    isInHandler(source, parent)
  )
}

/** A call that nothing takes the place of: its statement goes, or a comment stays. */
function dropCall(source: Source, call: TreeNode, message: string): void {
  const parent = source.tree.parentOf(call)
  const statement = parent?.type === 'AwaitExpression' ? source.tree.parentOf(parent) : parent
  const isClose = memberName(part(call, 'callee')) === 'close'
  if (statement?.type !== 'ExpressionStatement') return source.leave(call, message, 'api-names')
  if (isClose && !/process\.on\(\s*["']SIG/.test(source.tree.text))
    return source.leave(call, message, 'api-names')
  removeStatement(source, statement)
}

/** `connect(new StdioServerTransport())`, also by a constant. */
function connectStdio(
  source: Source,
  call: TreeNode,
  receiver: TreeNode,
  transport: TreeNode | undefined,
  servers: ReadonlySet<string>,
): void {
  const made = transport?.type === 'Identifier' ? source.meaning(identifier(transport)) : transport
  if (!named(part(made, 'callee'), source.official('StdioServerTransport'))) {
    if (servers.has(source.tree.textOf(receiver)))
      source.leave(
        call,
        'servers are not connected: give the server to serveStdio, serveHttp or createMcpHandler',
        'server-before-and-after',
      )
    return
  }
  if (made !== undefined && made !== transport) removeDeclaration(source, made)
  const serve = source.use('serveStdio', '@parley/mcp/stdio')
  const parent = source.tree.parentOf(call)
  const text = () => `${serve}(${source.render(receiver)})`
  if (parent?.type === 'AwaitExpression') source.edits.replace(parent, text)
  else if (parent?.type === 'ExpressionStatement') source.edits.replace(call, text)
  else source.edits.replace(call, () => `Promise.resolve(${text()})`)
}

/** `serveStdio(makeServer)` and `createMcpHandler(makeServer)` of v2 took a function. */
function migrateFactory(source: Source, call: TreeNode, callee: TreeNode | undefined): void {
  const [factory] = parts(call, 'arguments')
  for (const [name, from] of [
    ['serveStdio', '@parley/mcp/stdio'],
    ['createMcpHandler', '@parley/mcp/http'],
  ] as const) {
    if (callee === undefined || factory === undefined || !named(callee, source.official(name)))
      continue
    source.edits.replace(callee, source.use(name, from))
    const body = part(factory, 'body')
    if (factory.type === 'Identifier') source.edits.insert(factory.end, '()')
    else if (body !== undefined && body.type !== 'BlockStatement')
      source.edits.replace(factory, () => source.render(body))
    else source.leave(call, `${name} takes the server itself: one is enough for all`, 'api-names')
  }
}

function migrateAssignment(source: Source, node: TreeNode, servers: ReadonlySet<string>): void {
  const left = part(node, 'left')
  const receiver = part(left, 'object')
  const name = memberName(left)
  if (receiver === undefined || !/^on(initialized|error|close)$/.test(name ?? '')) return
  const text = source.tree.textOf(receiver)
  const server = lowLevel(source, receiver, servers) ?? (servers.has(text) ? text : undefined)
  if (server === undefined) return
  if (name === 'onerror' && moveErrorHandler(source, node, server)) return
  const message =
    name === 'onerror'
      ? 'pass onError to createServer'
      : `${name} is gone: use visible, or the context of a handler`
  source.leave(node, message, 'api-names')
}
