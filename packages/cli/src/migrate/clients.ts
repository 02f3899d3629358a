import { migrateClientCall } from './client-calls.ts'
import { removeDeclaration, removeStatement } from './registrations.ts'
import { optionsOf } from './schemas.ts'
import type { Source } from './source.ts'
import {
  identifier,
  keyOf,
  memberName,
  nodesIn,
  part,
  parts,
  valueOf,
  type TreeNode,
} from './tree.ts'

/** Moves clients: what was made and then connected is made connected. */
export function migrateClients(source: Source): void {
  const { tree } = source
  const name = source.official('Client')
  if (name === undefined) return
  const clients = new Set<string>()
  for (const node of nodesIn(tree.root)) {
    const isNew = node.type === 'NewExpression' && identifier(part(node, 'callee')) === name
    const parent = tree.parentOf(node)
    if (isNew) {
      const target = part(parent, 'id') ?? part(parent, 'left')
      if (target !== undefined)
        clients.add(
          tree.text.slice(target.start, part(target, 'typeAnnotation')?.start ?? target.end),
        )
      connectWhereMade(source, node)
    }
    if (node.type === 'TSTypeReference' && identifier(part(node, 'typeName')) === name) {
      const owner = parent && tree.parentOf(parent)
      const owned = identifier(owner)
      if (owned !== undefined) clients.add(owned)
      source.edits.replace(
        node,
        source.use('type Client', '@parley/mcp/client').replace('type ', ''),
      )
    }
  }
  for (const node of nodesIn(tree.root)) {
    const callee = node.type === 'CallExpression' ? part(node, 'callee') : part(node, 'left')
    const receiver = part(callee, 'object')
    if (receiver === undefined || !clients.has(tree.textOf(receiver))) continue
    if (node.type === 'CallExpression') migrateClientCall(source, node)
    else if (
      node.type === 'AssignmentExpression' &&
      /^on(close|error)$/.test(memberName(callee) ?? '')
    ) {
      source.leave(node, 'pass onStatus and onError to connect', 'api-names')
    }
  }
}

/** The declaration goes; where it was connected, it is made. */
function connectWhereMade(source: Source, node: TreeNode): void {
  const { tree } = source
  const declarator = tree.parentOf(node)
  const declaration = declarator && tree.parentOf(declarator)
  const block = declaration && tree.parentOf(declaration)
  const name = identifier(part(declarator, 'id'))
  const connecting = parts(block, 'body').find(
    (candidate) => connectionOf(candidate, name) !== undefined,
  )
  const transport = connecting && connectionOf(connecting, name)
  const target = transport && targetOf(source, transport)
  if (
    declaration?.type !== 'VariableDeclaration' ||
    connecting === undefined ||
    target === undefined ||
    name === undefined
  ) {
    return source.leave(
      node,
      'write `const client = await connect(target, { info })`, which makes and connects it',
      'api-names',
    )
  }
  const [info, options] = parts(node, 'arguments')
  for (const item of parts(optionsOf(source, options), 'properties')) {
    if (keyOf(item) !== 'capabilities' || parts(part(item, 'value'), 'properties').length > 0) {
      source.leave(
        connecting,
        'pass elicit, sample or roots to connect, which declares the capability',
        'api-names',
      )
    }
  }
  const connect = source.use('connect', '@parley/mcp/client')
  const semicolon = tree.textOf(connecting).endsWith(';') ? ';' : ''
  removeStatement(source, declaration)
  source.edits.replace(connecting, () => {
    const settings = [
      ...(info === undefined ? [] : [`info: ${source.render(info)}`]),
      ...target.settings,
    ]
    return `const ${name} = await ${connect}(${source.render(target.where)}, { ${settings.join(', ')} })${semicolon}`
  })
}

/** The transport in `await client.connect(transport)`. */
function connectionOf(statement: TreeNode, name: string | undefined): TreeNode | undefined {
  const awaited = part(statement, 'expression')
  const call = awaited?.type === 'AwaitExpression' ? part(awaited, 'argument') : undefined
  const callee = part(call, 'callee')
  if (memberName(callee) !== 'connect' || name === undefined) return undefined
  return identifier(part(callee, 'object')) === name ? parts(call, 'arguments')[0] : undefined
}

interface Target {
  readonly where: TreeNode
  readonly settings: readonly string[]
}

const transports = ['StdioClientTransport', 'StreamableHTTPClientTransport', 'SSEClientTransport']

function targetOf(source: Source, transport: TreeNode): Target | undefined {
  const made = transport.type === 'Identifier' ? source.meaning(identifier(transport)) : transport
  const name = identifier(part(made, 'callee'))
  const kind = transports.find(
    (candidate) => source.official(candidate) === name && name !== undefined,
  )
  const [where, options] = parts(made, 'arguments')
  if (made === undefined || kind === undefined || where === undefined) return undefined
  if (made !== transport) removeDeclaration(source, made)
  const settings: string[] = []
  if (valueOf(where, 'stderr') !== undefined) {
    source.leave(transport, 'the option stderr is onStderr of connect', 'api-names')
  }
  for (const item of parts(optionsOf(source, options), 'properties')) {
    const headers =
      keyOf(item) === 'requestInit' ? valueOf(part(item, 'value'), 'headers') : undefined
    if (headers !== undefined) settings.push(`headers: ${source.tree.textOf(headers)}`)
    else if (keyOf(item) === 'fetch') settings.push(source.tree.textOf(item))
    else
      source.leave(
        transport,
        `the option ${keyOf(item) ?? ''} is another one of connect`,
        'api-names',
      )
  }
  return { where, settings }
}
