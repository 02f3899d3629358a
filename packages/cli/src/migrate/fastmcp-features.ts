import { elicit, replaceValue } from './context-members.ts'
import { rewriteThrows } from './handler.ts'
import { isReference, type Source } from './source.ts'
import {
  identifier,
  isFunction,
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

/** Options of a tool that are the same here. */
const toolOptions = new Set([
  'description',
  'parameters',
  'outputSchema',
  'annotations',
  'timeoutMs',
  'icons',
  'title',
  '_meta',
])

/** `addTool({ name, parameters, execute, … })` */
export function addFastTool(source: Source, given: TreeNode, method: TreeNode): void {
  const options = parts(given, 'properties').filter(
    (one) => !['name', 'execute'].includes(keyOf(one) ?? ''),
  )
  const parameters = propertyOf(given, 'parameters')
  const key = part(parameters, 'key')
  if (parameters?.['shorthand'] === true)
    source.edits.replace(parameters, 'inputSchema: parameters')
  else if (key !== undefined) source.edits.replace(key, 'inputSchema')
  for (const one of options) {
    const name = keyOf(one) ?? source.tree.textOf(one)
    if (name === 'canAccess')
      source.leave(one, 'canAccess is visible here, and gets the context', 'fastmcp')
    else if (!toolOptions.has(name))
      source.leave(one, `the option ${name} has no counterpart of this name`, 'fastmcp')
  }
  const execute = propertyOf(given, 'execute')
  const handler = part(execute, 'value')
  if (isFunction(handler)) {
    rewriteExecute(source, handler)
    if (propertyOf(given, 'outputSchema') !== undefined) wrapFullResults(source, handler)
  }
  rewrite(source, given, method, 'tool', 'name', () => options.map(source.render), execute)
}

/** `addResource({ uri, load, … })` and `addResourceTemplate({ uriTemplate, load, … })` */
export function addFastResource(source: Source, given: TreeNode, method: TreeNode): void {
  const first = propertyOf(given, 'uri') === undefined ? 'uriTemplate' : 'uri'
  const options = parts(given, 'properties').filter(
    (one) => ![first, 'load', 'arguments'].includes(keyOf(one) ?? ''),
  )
  const completers = completersOf(source, valueOf(given, 'arguments'))
  leaveCaller(source, valueOf(given, 'load'), first === 'uri' ? 0 : 1)
  rewrite(
    source,
    given,
    method,
    'resource',
    first,
    () => [...options.map(source.render), ...completers],
    propertyOf(given, 'load'),
  )
}

/** `addPrompt({ name, arguments, load, … })` */
export function addFastPrompt(source: Source, given: TreeNode, method: TreeNode): void {
  const options = parts(given, 'properties').filter(
    (one) => !['name', 'load', 'arguments'].includes(keyOf(one) ?? ''),
  )
  const list = valueOf(given, 'arguments')
  const schema = list === undefined ? [] : [`argumentsSchema: ${argumentsSchema(source, list)}`]
  const completers = completersOf(source, list)
  leaveCaller(source, valueOf(given, 'load'), 1)
  rewrite(
    source,
    given,
    method,
    'prompt',
    'name',
    () => [...options.map(source.render), ...schema, ...completers],
    propertyOf(given, 'load'),
  )
}

/** One object becomes a name, options and a handler. */
function rewrite(
  source: Source,
  given: TreeNode,
  method: TreeNode,
  to: string,
  first: string,
  options: () => readonly string[],
  handler: TreeNode | undefined,
): void {
  const name = valueOf(given, first)
  if (name === undefined || handler === undefined)
    return source.leave(given, `${first} or the handler is not written here`, 'fastmcp')
  source.edits.replace(method, to)
  source.edits.replace(given, () => {
    const indent = /\n([ \t]*)\S/.exec(source.tree.textOf(given))?.[1]
    const made = options()
    const object =
      made.length === 0
        ? '{}'
        : indent === undefined
          ? `{ ${made.join(', ')} }`
          : `{\n${made.map((one) => `${indent}${one},\n`).join('')}${indent.slice(2)}}`
    return `${source.render(name)}, ${object}, ${functionText(source, handler)}`
  })
}

/** A method of an object, as a function of its own. */
function functionText(source: Source, property: TreeNode): string {
  const value = part(property, 'value')
  if (value === undefined) return ''
  if (property['method'] !== true) return source.render(value)
  return `${value['async'] === true ? 'async ' : ''}function ${source.render(value)}`
}

/** Prompts told their arguments one by one. */
function argumentsSchema(source: Source, list: TreeNode): string {
  const z = source.zod()
  const fields = parts(list, 'elements').map((one) => {
    const name = stringValue(valueOf(one, 'name'))
    const description = valueOf(one, 'description')
    const isRequired = valueOf(one, 'required')?.['value'] === true
    const choices = valueOf(one, 'enum')
    if (name === undefined)
      source.leave(one, 'write this argument as a field of argumentsSchema', 'fastmcp')
    const type =
      choices === undefined ? `${z}.string()` : `${z}.enum(${source.tree.textOf(choices)})`
    const described =
      description === undefined ? '' : `.describe(${source.tree.textOf(description)})`
    return `${/^[A-Za-z_$][\w$]*$/.test(name ?? '') ? name : JSON.stringify(name ?? '')}: ${type}${described}${isRequired ? '' : '.optional()'}`
  })
  return `${z}.object({ ${fields.join(', ')} })`
}

function completersOf(source: Source, list: TreeNode | undefined): readonly string[] {
  const completers = parts(list, 'elements').flatMap((one) => {
    const name = stringValue(valueOf(one, 'name'))
    const complete = propertyOf(one, 'complete')
    return name === undefined || complete === undefined
      ? []
      : [`${JSON.stringify(name)}: ${functionText(source, complete)}`]
  })
  return completers.length === 0 ? [] : [`complete: { ${completers.join(', ')} }`]
}

/** `load` was told who calls, and got a context of its own, behind its arguments. */
function leaveCaller(source: Source, load: TreeNode | undefined, expected: number): void {
  const [extra] = parts(load, 'params').slice(expected)
  if (extra !== undefined)
    source.leave(
      extra,
      'the second argument is the context, and its auth says who calls',
      'fastmcp',
    )
}

/** With an output schema, a value is expected; a full result says that it is one. */
function wrapFullResults(source: Source, fn: TreeNode): void {
  for (const node of nodesIn(fn)) {
    const value = node.type === 'ReturnStatement' ? part(node, 'argument') : undefined
    if (value === undefined || propertyOf(value, 'content') === undefined) continue
    source.edits.insert(value.start, `${source.use('toolResult', '@parley/mcp/server')}(`)
    source.edits.insert(value.end, ')')
  }
}

/** `log`, `reportProgress` and `session`, taken out of the second argument or as its members. */
function rewriteExecute(source: Source, fn: TreeNode): void {
  rewriteThrows(source, fn)
  const [, second] = parts(fn, 'params')
  if (second === undefined) return
  const taken = new Map(
    parts(second, 'properties').map((one) => [
      identifier(part(one, 'value')) ?? '',
      keyOf(one) ?? '',
    ]),
  )
  const whole = identifier(second)
  if (whole === undefined) source.edits.replace(second, 'context')
  for (const node of nodesIn(part(fn, 'body') ?? fn)) {
    const name = identifier(node)
    if (name === undefined || !isReference(source.tree, node)) continue
    const parent = source.tree.parentOf(node)
    if (name === whole && parent !== undefined)
      rewriteMember(source, parent, memberName(parent), whole)
    else if (taken.has(name)) rewriteMember(source, node, taken.get(name), 'context')
  }
}

function rewriteMember(
  source: Source,
  node: TreeNode,
  member: string | undefined,
  context: string,
): void {
  const parent = source.tree.parentOf(node)
  const call = parent && source.tree.parentOf(parent)
  const level = memberName(parent)
  if (member === 'reportProgress') return source.edits.replace(node, `${context}.progress`)
  if (member === 'signal' || member === 'sessionId')
    return replaceValue(source, node, `${context}.${member}`)
  if (member === 'elicit' && parent?.type === 'CallExpression') {
    const [params] = parts(parent, 'arguments')
    if (params !== undefined) return elicit(source, parent, params, context)
  }
  if (
    member === 'log' &&
    call?.type === 'CallExpression' &&
    part(call, 'callee') === parent &&
    level !== undefined
  ) {
    const [message, data] = parts(call, 'arguments')
    const text = message === undefined ? "''" : source.tree.textOf(message)
    const value =
      data === undefined ? text : `{ message: ${text}, data: ${source.tree.textOf(data)} }`
    return source.edits.replace(
      call,
      `${context}.log('${level === 'warn' ? 'warning' : level}', ${value})`,
    )
  }
  source.leave(
    node,
    `the context has no ${member ?? 'such member'}; auth and app say who calls`,
    'fastmcp',
  )
}
