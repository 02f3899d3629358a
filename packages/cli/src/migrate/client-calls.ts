import type { Source } from './source.ts'
import {
  identifier,
  keyOf,
  memberName,
  part,
  parts,
  propertyOf,
  valueOf,
  type TreeNode,
} from './tree.ts'

/** What the pages of a list were called. */
const lists: { readonly [method: string]: string } = {
  listTools: 'tools',
  listResources: 'resources',
  listResourceTemplates: 'resourceTemplates',
  listPrompts: 'prompts',
}

const facts: { readonly [method: string]: string } = {
  getServerVersion: 'info',
  getServerCapabilities: 'capabilities',
  getInstructions: 'instructions',
}

/** Methods that are the same here. */
const same = new Set(['close', 'ping', 'setLoggingLevel', 'connect'])

/** One call of a method of a client. */
export function migrateClientCall(source: Source, call: TreeNode): void {
  const callee = part(call, 'callee')
  const receiver = part(callee, 'object')
  const method = memberName(callee)
  if (method === undefined || receiver === undefined || same.has(method)) return
  const client = source.tree.textOf(receiver)
  const [params, second, third] = parts(call, 'arguments')
  const list = lists[method]
  if (list !== undefined) return collectList(source, call, `${client}.${method}()`, list)
  const fact = facts[method]
  if (fact !== undefined) return source.edits.replace(call, `${client}.server.${fact}`)
  switch (method) {
    case 'callTool':
      return spread(source, call, params, ['name', 'arguments'], third)
    case 'getPrompt':
      return spread(source, call, params, ['name', 'arguments'], second)
    case 'readResource':
      return spread(source, call, params, ['uri'], second)
    case 'complete':
      if (propertyOf(params, 'context') === undefined)
        return spread(source, call, params, ['ref', 'argument'], second)
  }
  source.leave(call, `${method} is another one here`, 'api-names')
}

/** Members of the one object become arguments. */
function spread(
  source: Source,
  call: TreeNode,
  params: TreeNode | undefined,
  names: readonly string[],
  options: TreeNode | undefined,
): void {
  if (params === undefined) return
  const last = parts(call, 'arguments').at(-1) ?? params
  const isWritten =
    params.type === 'ObjectExpression' &&
    parts(params, 'properties').every((candidate) => names.includes(keyOf(candidate) ?? ''))
  if (!isWritten && params.type !== 'Identifier') {
    return source.leave(
      call,
      `write ${memberName(part(call, 'callee'))}(${names.join(', ')})`,
      'api-names',
    )
  }
  const rewritten = optionsText(source, options)
  source.edits.replace({ start: params.start, end: last.end }, () => {
    const values = names.map((name) => {
      if (!isWritten) return `${source.tree.textOf(params)}.${name}`
      const value = valueOf(params, name)
      return value && source.render(value)
    })
    if (rewritten !== undefined && values.at(-1) === undefined) values[values.length - 1] = '{}'
    return [...values, rewritten].filter((value) => value !== undefined).join(', ')
  })
}

/** `onprogress`, `timeout` and `maxTotalTimeout` by our names. */
function optionsText(source: Source, options: TreeNode | undefined): string | undefined {
  if (options === undefined) return undefined
  const timeouts: string[] = []
  const others: string[] = []
  for (const item of parts(options, 'properties')) {
    const value = part(item, 'value')
    const text = value === undefined ? '' : source.tree.textOf(value)
    const name = keyOf(item)
    if (name === 'timeout' && valueOf(options, 'resetTimeoutOnProgress') === undefined)
      timeouts.push(`totalMs: ${text}`)
    else if (name === 'timeout') timeouts.push(`idleMs: ${text}`)
    else if (name === 'maxTotalTimeout') timeouts.push(`totalMs: ${text}`)
    else if (name === 'onprogress') others.push(`onProgress: ${text}`)
    else if (name === 'signal') others.push(source.tree.textOf(item))
    else if (name !== 'resetTimeoutOnProgress')
      source.leave(item, `the option ${name ?? ''} has no counterpart of this name`, 'api-names')
  }
  if (options.type !== 'ObjectExpression')
    source.leave(options, 'options are onProgress, timeouts and signal here', 'api-names')
  const all = [
    ...others,
    ...(timeouts.length === 0 ? [] : [`timeouts: { ${timeouts.join(', ')} }`]),
  ]
  return all.length === 0 ? undefined : `{ ${all.join(', ')} }`
}

/** Lists are iterated here; where one page was taken, all pages are collected. */
function collectList(source: Source, call: TreeNode, list: string, name: string): void {
  const { tree } = source
  const [params] = parts(call, 'arguments')
  const awaited = tree.parentOf(call)
  if (awaited?.type !== 'AwaitExpression' || propertyOf(params, 'cursor') !== undefined) {
    return source.leave(
      call,
      `iterate with for await (… of ${list}), or take all with toArray()`,
      'api-names',
    )
  }
  const all = `await ${list}.toArray()`
  const around = tree.parentOf(awaited)
  const pattern = part(around, 'id')
  const properties = parts(pattern, 'properties')
  const [only] = properties
  const local = identifier(part(only, 'value'))
  if (
    pattern?.type === 'ObjectPattern' &&
    properties.length === 1 &&
    only !== undefined &&
    keyOf(only) === name &&
    local !== undefined
  ) {
    source.edits.replace(pattern, local)
    return source.edits.replace(awaited, all)
  }
  if (around !== undefined && memberName(around) === name) {
    const isAlone = tree.parentOf(around)?.type === 'VariableDeclarator'
    return source.edits.replace(around, isAlone ? all : `(${all})`)
  }
  source.edits.replace(awaited, `{ ${name}: ${all} }`)
}
