import type { Source } from './source.ts'
import {
  memberName,
  part,
  parts,
  stringValue,
  keyOf,
  propertyOf,
  valueOf,
  type TreeNode,
} from './tree.ts'

/** A use of `extra`, of a name taken out of it, or of a method that is the context's now. */
export interface Reference {
  readonly node: TreeNode
  /** The member, where it was taken out of `extra`. */
  readonly taken?: string | undefined
  /** The call, where it is known. */
  readonly call?: TreeNode | undefined
}

/** Members by their path. */
const members: { readonly [path: string]: string } = {
  signal: 'signal',
  'mcpReq.signal': 'signal',
  _meta: 'meta',
  'mcpReq._meta': 'meta',
  sessionId: 'sessionId',
  authInfo: 'auth',
  'http.authInfo': 'auth',
}

/** Methods by their path, and what they do. */
const methods: { readonly [path: string]: Method } = {
  sendNotification: 'notify',
  'mcpReq.notify': 'notify',
  notification: 'notify',
  sendRequest: 'request',
  'mcpReq.send': 'request',
  elicitInput: 'elicit',
  'mcpReq.elicitInput': 'elicit',
  createMessage: 'sample',
  'mcpReq.requestSampling': 'sample',
  listRoots: 'roots',
  sendLoggingMessage: 'log',
  'mcpReq.log': 'log-words',
  getClientCapabilities: 'capabilities',
}

type Method =
  | 'notify'
  | 'request'
  | 'elicit'
  | 'sample'
  | 'roots'
  | 'log'
  | 'log-words'
  | 'capabilities'

/** Rewrites one use as a use of the context. */
export function rewriteMember(
  source: Source,
  { node, taken, call }: Reference,
  context: string,
): void {
  if (call !== undefined) return rewriteCall(source, call, methods[taken ?? ''], context)
  const path = taken === undefined ? [] : [taken]
  let reached = node
  for (;;) {
    const dotted = path.join('.')
    const member = members[dotted]
    const method = methods[dotted]
    const parent = source.tree.parentOf(reached)
    if (member !== undefined) return replaceValue(source, reached, `${context}.${member}`)
    if (
      method !== undefined &&
      parent?.type === 'CallExpression' &&
      part(parent, 'callee') === reached
    ) {
      return rewriteCall(source, parent, method, context)
    }
    if (dotted === 'requestInfo.headers' || dotted === 'http.req.headers') {
      return rewriteHeader(source, reached, parent, context)
    }
    const name = memberName(parent)
    if (parent === undefined || name === undefined || part(parent, 'object') !== reached) break
    path.push(name)
    reached = parent
  }
  if (path.length === 0) {
    replaceValue(source, node, context)
    return source.leave(node, 'what is passed on here is now the context', 'api-names')
  }
  if (taken === undefined) source.edits.replace(node, context)
  source.leave(node, `the context has no ${path.join('.')}`, 'api-names')
}

/** `{ signal }` becomes `{ signal: context.signal }`. */
export function replaceValue(source: Source, node: TreeNode, text: string): void {
  const parent = source.tree.parentOf(node)
  const isShort = parent?.type === 'Property' && parent['shorthand'] === true
  source.edits.replace(node, isShort ? `${source.tree.textOf(node)}: ${text}` : text)
}

function rewriteHeader(
  source: Source,
  headers: TreeNode,
  parent: TreeNode | undefined,
  context: string,
): void {
  const call = parent === undefined ? undefined : source.tree.parentOf(parent)
  if (memberName(parent) === 'get' && call?.type === 'CallExpression') {
    const [name] = parts(call, 'arguments')
    if (name !== undefined)
      return source.edits.replace(call, () => `${context}.http?.header(${source.render(name)})`)
  }
  if (parent?.type === 'MemberExpression' && part(parent, 'object') === headers) {
    const key = part(parent, 'property')
    const name = keyOf(parent, 'property')
    const text = name !== undefined ? `'${name}'` : key && source.tree.textOf(key)
    return source.edits.replace(parent, `${context}.http?.header(${text})`)
  }
  source.edits.replace(headers, `${context}.http?.headers`)
  source.leave(headers, 'read headers with context.http?.header(name)', 'api-names')
}

function rewriteCall(
  source: Source,
  call: TreeNode,
  method: Method | undefined,
  context: string,
): void {
  const [first, second] = parts(call, 'arguments')
  const name = stringValue(valueOf(first, 'method'))
  const params = valueOf(first, 'params')
  switch (method) {
    case 'notify':
      if (name === 'notifications/progress' && params !== undefined)
        return progress(source, call, params, context)
      if (name === 'notifications/message' && params !== undefined)
        return log(source, call, params, context)
      break
    case 'request':
      if (name === 'elicitation/create' && params !== undefined)
        return elicit(source, call, params, context)
      if (name === 'sampling/createMessage' && params !== undefined)
        return sample(source, call, params, context)
      if (name === 'roots/list')
        return source.edits.replace(call, `${context}.listRoots().then((roots) => ({ roots }))`)
      break
    case 'elicit':
      if (first !== undefined) return elicit(source, call, first, context)
      break
    case 'sample':
      if (first !== undefined) return sample(source, call, first, context)
      break
    case 'roots':
      return source.edits.replace(call, `${context}.listRoots().then((roots) => ({ roots }))`)
    case 'log':
      if (first !== undefined) return log(source, call, first, context)
      break
    case 'log-words':
      return source.edits.replace(
        call,
        () =>
          `${context}.log(${[first, second]
            .filter((candidate) => candidate !== undefined)
            .map(source.render)
            .join(', ')})`,
      )
    case 'capabilities':
      return source.edits.replace(call, `${context}.client.capabilities`)
    case undefined:
  }
  source.leave(
    call,
    `the context sends progress, log messages and questions, not ${name ?? 'this'}`,
    'api-names',
  )
}

function progress(source: Source, call: TreeNode, params: TreeNode, context: string): void {
  const rest = parts(params, 'properties').filter(
    (candidate) => keyOf(candidate) !== 'progressToken',
  )
  const isWritten = params.type === 'ObjectExpression'
  source.edits.replace(
    call,
    () =>
      `${context}.progress(${isWritten ? `{ ${rest.map(source.render).join(', ')} }` : source.render(params)})`,
  )
}

function log(source: Source, call: TreeNode, params: TreeNode, context: string): void {
  const words = ['level', 'data', 'logger']
    .map((name) => valueOf(params, name))
    .filter((candidate) => candidate !== undefined)
  if (params.type === 'ObjectExpression') {
    return source.edits.replace(
      call,
      () => `${context}.log(${words.map(source.render).join(', ')})`,
    )
  }
  const text = source.tree.textOf(params)
  if (params.type === 'Identifier') {
    return source.edits.replace(call, `${context}.log(${text}.level, ${text}.data, ${text}.logger)`)
  }
  source.leave(call, 'write context.log(level, data, logger)', 'api-names')
}

/** A form's schema is JSON Schema there, and a schema here. */
/** A question to the user: its schema was JSON Schema. */
export function elicit(source: Source, call: TreeNode, params: TreeNode, context: string): void {
  const schema = valueOf(params, 'requestedSchema')
  if (schema !== undefined) {
    const property = propertyOf(params, 'requestedSchema')
    const name = source.use('jsonSchema', '@parley/mcp')
    if (property?.['shorthand'] === true)
      source.edits.replace(property, `requestedSchema: ${name}(requestedSchema)`)
    else {
      source.edits.insert(schema.start, `${name}(`)
      source.edits.insert(schema.end, ')')
    }
  } else if (stringValue(valueOf(params, 'mode')) !== 'url') {
    source.leave(call, 'wrap requestedSchema in jsonSchema()', 'api-names')
  }
  source.edits.replace(call, () => `${context}.elicit(${source.render(params)})`)
}

function sample(source: Source, call: TreeNode, params: TreeNode, context: string): void {
  source.edits.replace(call, () => `${context}.sample(${source.render(params)})`)
}
