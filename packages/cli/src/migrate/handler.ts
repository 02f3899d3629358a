import { rewriteMember, type Reference } from './context-members.ts'
import { isReference, type Source } from './source.ts'
import {
  childrenOf,
  identifier,
  isFunction,
  keyOf,
  memberName,
  nodesIn,
  part,
  parts,
  type TreeNode,
} from './tree.ts'

/** What a handler was called with, and what it may return. */
export interface HandlerShape {
  readonly kind: 'tool' | 'prompt' | 'resource'
  /** Whether arguments or variables come before `extra`. */
  readonly hasInput: boolean
  /** Whether its tool has an output schema. */
  readonly hasOutput?: boolean | undefined
  /** What to write behind parameters without a type, where nothing gives them one. */
  readonly types?: HandlerTypes | undefined
}

/** Types of parameters, with their colons. */
export interface HandlerTypes {
  readonly input: string
  readonly context: () => string
  /** Of what it returns. */
  readonly result: () => string
}

/** Gives a handler our parameters, and rewrites what it does with them. Whether it takes the context. */
export function rewriteHandler(source: Source, handler: TreeNode, shape: HandlerShape): boolean {
  const fn = isFunction(handler) ? handler : source.meaning(identifier(handler))
  if (!isFunction(fn)) {
    wrapUnknown(source, handler, shape)
    return true
  }
  if (fn !== handler) wrapNamed(source, handler, shape)
  if (done.get(source)?.has(fn) === true) return true
  done.set(source, (done.get(source) ?? new Set()).add(fn))
  const params = parts(fn, 'params')
  const before = [
    ...(shape.kind === 'resource' ? ['uri'] : []),
    ...(shape.hasInput ? ['input'] : []),
    'extra',
  ]
  const [uri, input, extra] = ['uri', 'input', 'extra'].map((role) => params[before.indexOf(role)])
  const context = nameFor(source, fn)
  let isUsed = false
  const needContext = () => {
    isUsed = true
    return context
  }

  const members = extra === undefined ? [] : referencesTo(source, fn, extra)
  const keepsPattern = extra?.type === 'ObjectPattern' && members.every(isSameHere)
  if (!keepsPattern) for (const member of members) rewriteMember(source, member, needContext())
  if (uri !== undefined) rewriteUri(source, fn, uri, needContext)
  askThroughContext(source, fn, needContext)
  if (shape.kind === 'tool') rewriteThrows(source, fn)
  if (shape.hasOutput === true && fn === handler) wrapReturns(source, fn)

  const typed = isUsed ? context + (shape.types?.context() ?? '') : undefined
  const last = keepsPattern && !isUsed ? source.tree.textOf(extra) : typed
  const first =
    input === undefined ? (last === undefined ? undefined : '_') : withoutType(input, shape)
  const wanted = [first, last].filter((candidate) => candidate !== undefined)
  const isSame =
    params.length === wanted.length &&
    params.every((param, at) => source.tree.textOf(param) === wanted[at])
  const isAsync = fn['async'] === true && part(fn, 'returnType') === undefined
  const result = isAsync ? (shape.types?.result() ?? '') : ''
  if (!isSame) source.edits.replace(parameterRange(source, fn), `(${wanted.join(', ')})${result}`)

  return last !== undefined

  function withoutType(param: TreeNode, { kind }: HandlerShape): string {
    const type = part(param, 'typeAnnotation')
    const end = kind === 'resource' && type !== undefined ? type.start : param.end
    const isBare = type === undefined && shape.types !== undefined
    return source.tree.text.slice(param.start, end) + (isBare ? shape.types.input : '')
  }
}

const done = new WeakMap<Source, Set<TreeNode>>()

/** A named handler is rewritten where it stands; what only one of its uses needs is added around it. */
function wrapNamed(source: Source, handler: TreeNode, { hasOutput }: HandlerShape): void {
  if (hasOutput !== true) return
  const name = source.use('toolResult', '@parley/mcp/server')
  source.edits.replace(
    handler,
    `async (input, context) => ${name}(await ${source.tree.textOf(handler)}(input, context))`,
  )
}

/** A handler of another file. */
function wrapUnknown(source: Source, handler: TreeNode, shape: HandlerShape): void {
  const text = source.tree.textOf(handler)
  const wasGiven = [
    ...(shape.kind === 'resource' ? ['new URL(context.uri)'] : []),
    ...(shape.hasInput ? ['input'] : []),
    'context',
  ].join(', ')
  const call = `${text}(${wasGiven})`
  if (shape.hasOutput === true) {
    const name = source.use('toolResult', '@parley/mcp/server')
    source.edits.replace(handler, `async (input, context) => ${name}(await ${call})`)
  } else if (shape.kind === 'resource' || !shape.hasInput) {
    source.edits.replace(handler, `(${shape.hasInput ? 'input' : '_'}, context) => ${call}`)
  }
  source.leave(
    handler,
    `${text} is defined elsewhere: its last argument is now the context`,
    'api-names',
  )
}

/** Each use of `extra`, or of what was taken out of it. */
function referencesTo(source: Source, fn: TreeNode, extra: TreeNode): readonly Reference[] {
  const names = new Map<string, string | undefined>()
  if (extra.type === 'ObjectPattern') {
    for (const item of parts(extra, 'properties')) {
      const local = identifier(part(item, 'value'))
      if (local !== undefined) names.set(local, keyOf(item))
    }
  } else {
    const name = identifier(extra)
    if (name !== undefined) names.set(name, undefined)
  }
  return referencesIn(source, fn, names.keys()).map((node) => ({
    node,
    taken: names.get(identifier(node) ?? ''),
  }))
}

function isSameHere({ taken }: Reference): boolean {
  return taken === 'signal' || taken === 'sessionId'
}

/** The uses of names in the body of a function, where no function inside has a parameter of that name. */
function referencesIn(source: Source, fn: TreeNode, names: Iterable<string>): readonly TreeNode[] {
  const body = part(fn, 'body')
  return body === undefined ? [] : [...freeIn(source, body, new Set(names))]
}

function* freeIn(source: Source, node: TreeNode, names: ReadonlySet<string>): Generator<TreeNode> {
  if (names.has(identifier(node) ?? '') && isReference(source.tree, node)) yield node
  const own = isFunction(node) ? parts(node, 'params').flatMap((item) => [...nodesIn(item)]) : []
  const hidden = new Set(own.map(identifier))
  const free = hidden.size === 0 ? names : new Set([...names].filter((name) => !hidden.has(name)))
  for (const child of childrenOf(node)) yield* freeIn(source, child, free)
}

/** `uri` was a URL; ours is a text. */
function rewriteUri(source: Source, fn: TreeNode, uri: TreeNode, needContext: () => string): void {
  const name = identifier(uri)
  if (name === undefined)
    return source.leave(uri, 'the URI is context.uri, a string', 'different-behaviour')
  for (const node of referencesIn(source, fn, [name])) {
    const context = needContext()
    const parent = source.tree.parentOf(node)
    const member = memberName(parent)
    const call = parent === undefined ? undefined : source.tree.parentOf(parent)
    if (parent !== undefined && member === 'href') source.edits.replace(parent, `${context}.uri`)
    else if (call?.type === 'CallExpression' && member === 'toString')
      source.edits.replace(call, `${context}.uri`)
    else if (parent?.type === 'TemplateLiteral') source.edits.replace(node, `${context}.uri`)
    else if (parent?.type === 'Property' && parent['shorthand'] === true)
      source.edits.replace(parent, `${name}: new URL(${context}.uri)`)
    else source.edits.replace(node, `new URL(${context}.uri)`)
  }
}

/** `server.server.elicitInput()` and the like, which need a call to belong to. */
function askThroughContext(source: Source, fn: TreeNode, needContext: () => string): void {
  for (const node of nodesIn(fn)) {
    if (node.type !== 'CallExpression') continue
    const callee = part(node, 'callee')
    const method = memberName(callee)
    const receiver = part(callee, 'object')
    const isServer = /(^|\.)(server|mcpServer|mcp)$/.test(
      receiver === undefined ? '' : source.tree.textOf(receiver),
    )
    if (!isServer || method === undefined || !askMethods.has(method)) continue
    rewriteMember(source, { node, taken: method, call: node }, needContext())
  }
}

/** Methods of a server that are the context's now. */
const askMethods = new Set([
  'elicitInput',
  'createMessage',
  'listRoots',
  'sendLoggingMessage',
  'getClientCapabilities',
  'notification',
])

/** The model reads what is thrown in a tool, as before. */
export function rewriteThrows(source: Source, fn: TreeNode): void {
  for (const node of nodesIn(fn)) {
    const thrown = node.type === 'ThrowStatement' ? part(node, 'argument') : undefined
    const callee = part(thrown, 'callee')
    const name = identifier(callee)
    if (thrown?.type !== 'NewExpression' || callee === undefined || name === undefined) continue
    const [first, second] = parts(thrown, 'arguments')
    if (name === 'Error' || name === source.official('UserError')) {
      source.edits.replace(callee, source.use('ToolError', '@parley/mcp'))
    } else if (name === source.official('McpError') || name === source.official('ProtocolError')) {
      if (first === undefined || second === undefined) continue
      source.edits.replace(callee, source.use('ToolError', '@parley/mcp'))
      source.edits.replace(
        { start: first.start, end: thrown.end },
        () => `${source.render(second)})`,
      )
    }
  }
}

/** By our names where a protocol error is thrown that is no tool's. */
export function rewriteProtocolErrors(source: Source, fn: TreeNode): void {
  const official = [source.official('McpError'), source.official('ProtocolError')]
  for (const node of nodesIn(fn)) {
    const callee = node.type === 'NewExpression' ? part(node, 'callee') : undefined
    const name = identifier(callee)
    const [code] = parts(node, 'arguments')
    const ours = codes[memberName(code) ?? '']
    if (callee === undefined || name === undefined || !official.includes(name)) continue
    if (code === undefined || ours === undefined) continue
    source.edits.replace(callee, source.use('RpcError', '@parley/mcp'))
    source.edits.replace(code, `'${ours}'`)
  }
}

const codes: { readonly [name: string]: string } = {
  ParseError: 'parse_error',
  InvalidRequest: 'invalid_request',
  MethodNotFound: 'method_not_found',
  InvalidParams: 'invalid_params',
  InternalError: 'internal_error',
  ResourceNotFound: 'resource_not_found',
}

/** With an output schema, a full result says that it is one. */
function wrapReturns(source: Source, fn: TreeNode): void {
  const body = part(fn, 'body')
  const name = source.use('toolResult', '@parley/mcp/server')
  const wrap = (node: TreeNode) => {
    const isPromise = node.type === 'CallExpression'
    source.edits.insert(node.start, `${name}(${isPromise ? 'await ' : ''}`)
    source.edits.insert(node.end, ')')
    if (isPromise && fn['async'] !== true)
      source.leave(node, 'await needs an async function', 'different-behaviour')
  }
  if (body === undefined) return
  if (body.type !== 'BlockStatement') {
    // The parentheses around an object stay: `() => toolResult(({ … }))` would be odd, so they are taken over.
    const before = source.tree.text.slice(0, body.start).trimEnd()
    if (before.endsWith('(') && body.type === 'ObjectExpression') {
      return source.edits.insert(before.length - 1, name)
    }
    return wrap(body)
  }
  for (const node of ownNodes(body)) {
    const value = node.type === 'ReturnStatement' ? part(node, 'argument') : undefined
    if (value !== undefined) wrap(value)
  }
}

/** A function's own nodes, without those of functions inside. */
function* ownNodes(node: TreeNode): Generator<TreeNode> {
  yield node
  for (const child of childrenOf(node)) {
    if (child.type !== 'ClassBody' && !isFunction(child)) yield* ownNodes(child)
  }
}

function nameFor(source: Source, fn: TreeNode): string {
  const isTaken = [...nodesIn(fn)].some(
    (node) => identifier(node) === 'context' && isReference(source.tree, node),
  )
  const isOwn = parts(fn, 'params').some((candidate) => identifier(candidate) === 'context')
  return isTaken && !isOwn ? 'requestContext' : 'context'
}

/** From the opening parenthesis to the closing one, or a single bare name. */
function parameterRange(source: Source, fn: TreeNode): { start: number; end: number } {
  const { text } = source.tree
  const params = parts(fn, 'params')
  const [first] = params
  const last = params.at(-1)
  if (first === undefined || last === undefined) {
    const start = text.indexOf('(', part(fn, 'id')?.end ?? fn.start)
    return { start, end: text.indexOf(')', start) + 1 }
  }
  const after = /^[\s,]*/.exec(text.slice(last.end))?.[0].length ?? 0
  if (text.startsWith('=>', last.end + after)) return { start: first.start, end: last.end }
  return { start: text.lastIndexOf('(', first.start - 1), end: last.end + after + 1 }
}
