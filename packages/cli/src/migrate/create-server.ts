import { optionsOf, addOptions } from './schemas.ts'
import type { Source } from './source.ts'
import { keyOf, part, parts, type TreeNode } from './tree.ts'

/** Options that need no counterpart: capabilities follow from what is registered. */
const needless = new Set([
  'capabilities',
  'debouncedNotificationMethods',
  'enforceStrictCapabilities',
])

/** `new McpServer(info, options)` becomes `createServer({ …info, instructions })`. */
export function createFromInfo(source: Source, node: TreeNode): void {
  const [info, options] = parts(node, 'arguments')
  const callee = part(node, 'callee')
  if (info === undefined || callee === undefined) return
  const create = source.use('createServer', '@parley/mcp/server')
  source.edits.replace({ start: node.start, end: callee.end }, create)
  const written = optionsOf(source, options)
  if (options !== undefined && written === undefined) {
    source.leave(
      options,
      'pass instructions with the name and version; capabilities follow from what you register',
      'api-names',
    )
  }
  const properties = parts(written, 'properties')
  const remainingProperties = properties
    .filter((property) => keyOf(property) === 'instructions')
    .map((property) => source.tree.textOf(property))
  for (const property of properties) {
    const name = keyOf(property)
    if (name === 'instructions' || (name !== undefined && needless.has(name))) continue
    source.leave(
      property,
      `the option ${name ?? source.tree.textOf(property)} has no counterpart of this name`,
      'api-names',
    )
  }
  if (options !== undefined) source.edits.replace({ start: info.end, end: options.end }, '')
  if (info.type === 'ObjectExpression') addOptions(source, info, remainingProperties)
  else if (remainingProperties.length > 0)
    source.edits.replace(
      info,
      () => `{ ...${source.tree.textOf(info)}, ${remainingProperties.join(', ')} }`,
    )
}
