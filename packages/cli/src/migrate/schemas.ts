import type { Source } from './source.ts'
import { identifier, memberName, part, parts, type TreeNode } from './tree.ts'

/** A schema where v1 took a shape: what to write instead, given its own text. Undefined if it may stay. */
function wrapped(source: Source, schema: TreeNode): 'wrap' | 'shape' | 'keep' | 'unknown' {
  if (schema.type === 'ObjectExpression') return 'wrap'
  if (schema.type === 'CallExpression') return 'keep'
  if (memberName(schema) === 'shape') {
    const of = source.meaning(identifier(part(schema, 'object')))
    return isPlainObject(of) ? 'shape' : 'wrap'
  }
  const meaning = source.meaning(identifier(schema))
  return meaning === undefined ? 'unknown' : wrapped(source, meaning) === 'wrap' ? 'wrap' : 'keep'
}

/** `z.object({ … })`, and nothing called on it. */
function isPlainObject(node: TreeNode | undefined): boolean {
  return node?.type === 'CallExpression' && memberName(part(node, 'callee')) === 'object'
}

/** Makes a schema of what v1 took as a shape. */
export function wrapShape(source: Source, schema: TreeNode): void {
  const parent = source.tree.parentOf(schema)
  const isShort = parent?.type === 'Property' && parent['shorthand'] === true
  const text = source.tree.textOf(schema)
  switch (wrapped(source, schema)) {
    case 'keep':
      return
    case 'unknown':
      return source.leave(
        schema,
        `${text} must be a schema: wrap it in z.object() if it is a shape`,
        'api-names',
      )
    case 'shape':
      return source.edits.replace(schema, () => {
        const object = part(schema, 'object')
        return object === undefined ? text : source.render(object)
      })
    case 'wrap': {
      const z = source.zod()
      if (isShort) return source.edits.replace(parent, `${text}: ${z}.object(${text})`)
      source.edits.insert(schema.start, `${z}.object(`)
      source.edits.insert(schema.end, ')')
    }
  }
}

/** `completable(schema, complete)` in a shape: the completers move to an option of the prompt. */
export function takeCompleters(source: Source, shape: TreeNode | undefined): readonly string[] {
  const name = source.official('completable')
  const object = shape?.type === 'Identifier' ? source.meaning(identifier(shape)) : shape
  if (name === undefined || object?.type !== 'ObjectExpression') return []
  return parts(object, 'properties').flatMap((property) => {
    const value = part(property, 'value')
    const [schema, complete] = parts(value, 'arguments')
    const key = part(property, 'key')
    if (identifier(part(value, 'callee')) !== name || value === undefined || key === undefined)
      return []
    if (schema === undefined || complete === undefined) return []
    renameKnown(source, complete)
    source.edits.replace(value, () => source.render(schema))
    return [`${source.tree.textOf(key)}: ${source.render(complete)}`]
  })
}

/** A completer's second argument was `{ arguments }`; ours are the arguments themselves. */
function renameKnown(source: Source, complete: TreeNode): void {
  const [, parameter] = parts(complete, 'params')
  const name = identifier(parameter)
  if (parameter === undefined) return
  if (name === undefined)
    return source.leave(
      complete,
      'the second argument is what is known, without `arguments`',
      'api-names',
    )
  const pattern = new RegExp(
    `\\b${name}\\??\\.arguments\\?\\.(?=\\[)|\\b${name}\\??\\.arguments\\b`,
    'g',
  )
  const body = part(complete, 'body')
  if (body === undefined) return
  for (const match of source.tree.textOf(body).matchAll(pattern)) {
    const start = body.start + match.index
    source.edits.replace({ start, end: start + match[0].length }, name)
  }
}

/** An option that was written out, or in an object of this file. */
export function optionsOf(source: Source, config: TreeNode | undefined): TreeNode | undefined {
  if (config?.type === 'ObjectExpression') return config
  const meaning = source.meaning(identifier(config))
  return meaning?.type === 'ObjectExpression' ? meaning : undefined
}

/** Adds options to an object that is written out. */
export function addOptions(source: Source, object: TreeNode, added: readonly string[]): void {
  if (added.length === 0) return
  const last = parts(object, 'properties').at(-1)
  if (last === undefined) return source.edits.replace(object, `{ ${added.join(', ')} }`)

  const indent = /\n([ \t]*)$/.exec(source.tree.text.slice(0, last.start))?.[1]
  const separator = indent === undefined ? ', ' : `,\n${indent}`

  source.edits.insert(last.end, separator + added.join(separator))
}
