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
export function addFastTool(source: Source, object: TreeNode, method: TreeNode): void {
  const options = parts(object, 'properties').filter(
    (candidate) => !['name', 'execute'].includes(keyOf(candidate) ?? ''),
  )
  const parameters = propertyOf(object, 'parameters')
  const key = part(parameters, 'key')
  if (parameters?.['shorthand'] === true)
    source.edits.replace(parameters, 'inputSchema: parameters')
  else if (key !== undefined) source.edits.replace(key, 'inputSchema')
  for (const option of options) {
    const name = keyOf(option) ?? source.tree.textOf(option)
    if (name === 'canAccess')
      source.leave(option, 'canAccess is visible here, and gets the context', 'fastmcp')
    else if (!toolOptions.has(name))
      source.leave(option, `the option ${name} has no counterpart of this name`, 'fastmcp')
  }
  const execute = propertyOf(object, 'execute')
  const handler = part(execute, 'value')
  if (isFunction(handler)) {
    rewriteExecute(source, handler)
    if (propertyOf(object, 'outputSchema') !== undefined) wrapFullResults(source, handler)
  }
  rewrite(source, object, method, 'tool', 'name', () => options.map(source.render), execute)
}

/** `addResource({ uri, load, … })` and `addResourceTemplate({ uriTemplate, load, … })` */
export function addFastResource(source: Source, object: TreeNode, method: TreeNode): void {
  const first = propertyOf(object, 'uri') === undefined ? 'uriTemplate' : 'uri'
  const options = parts(object, 'properties').filter(
    (candidate) => ![first, 'load', 'arguments'].includes(keyOf(candidate) ?? ''),
  )
  const completers = completersOf(source, valueOf(object, 'arguments'))
  leaveCaller(source, valueOf(object, 'load'), first === 'uri' ? 0 : 1)
  rewrite(
    source,
    object,
    method,
    'resource',
    first,
    () => [...options.map(source.render), ...completers],
    propertyOf(object, 'load'),
  )
}

/** `addPrompt({ name, arguments, load, … })` */
export function addFastPrompt(source: Source, object: TreeNode, method: TreeNode): void {
  const options = parts(object, 'properties').filter(
    (candidate) => !['name', 'load', 'arguments'].includes(keyOf(candidate) ?? ''),
  )
  const list = valueOf(object, 'arguments')
  const schema = list === undefined ? [] : [`argumentsSchema: ${argumentsSchema(source, list)}`]
  const completers = completersOf(source, list)
  leaveCaller(source, valueOf(object, 'load'), 1)
  rewrite(
    source,
    object,
    method,
    'prompt',
    'name',
    () => [...options.map(source.render), ...schema, ...completers],
    propertyOf(object, 'load'),
  )
}

/** One object becomes a name, options and a handler. */
function rewrite(
  source: Source,
  input: TreeNode,
  method: TreeNode,
  to: string,
  first: string,
  options: () => readonly string[],
  handler: TreeNode | undefined,
): void {
  const name = valueOf(input, first)
  if (name === undefined || handler === undefined)
    return source.leave(input, `${first} or the handler is not written here`, 'fastmcp')
  source.edits.replace(method, to)
  source.edits.replace(input, () => {
    const indent = /\n([ \t]*)\S/.exec(source.tree.textOf(input))?.[1]
    const made = options()
    const object =
      made.length === 0
        ? '{}'
        : indent === undefined
          ? `{ ${made.join(', ')} }`
          : `{\n${made.map((item) => `${indent}${item},\n`).join('')}${indent.slice(2)}}`
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
  const fields = parts(list, 'elements').map((item) => {
    const name = stringValue(valueOf(item, 'name'))
    const description = valueOf(item, 'description')
    const isRequired = valueOf(item, 'required')?.['value'] === true
    const choices = valueOf(item, 'enum')
    if (name === undefined)
      source.leave(item, 'write this argument as a field of argumentsSchema', 'fastmcp')
    const type =
      choices === undefined ? `${z}.string()` : `${z}.enum(${source.tree.textOf(choices)})`
    const described =
      description === undefined ? '' : `.describe(${source.tree.textOf(description)})`
    return `${/^[A-Za-z_$][\w$]*$/.test(name ?? '') ? name : JSON.stringify(name ?? '')}: ${type}${described}${isRequired ? '' : '.optional()'}`
  })
  return `${z}.object({ ${fields.join(', ')} })`
}

function completersOf(source: Source, list: TreeNode | undefined): readonly string[] {
  const completers = parts(list, 'elements').flatMap((item) => {
    const name = stringValue(valueOf(item, 'name'))
    const complete = propertyOf(item, 'complete')
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
  const renamed = new Map(
    parts(second, 'properties').map((item) => [
      identifier(part(item, 'value')) ?? '',
      keyOf(item) ?? '',
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
    else if (renamed.has(name)) rewriteMember(source, node, renamed.get(name), 'context')
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
