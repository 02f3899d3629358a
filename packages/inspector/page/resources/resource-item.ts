import { listOf, recordOf, textOf } from '@parley/page/json'

import type { ListItem } from '../lists.ts'

/** A row of the list: a resource, a template, or a folder of the tree. */
export interface ResourceItem {
  /** The address, the template, or the folder's own id. */
  readonly id: string
  readonly kind: 'resource' | 'template' | 'folder'
  readonly name: string
  readonly description: string | undefined
  readonly mimeType: string | undefined
  /** As the server sent them. */
  readonly icons?: unknown
  readonly size: number | undefined
  /** What the server says of it: for whom, how important, how new. */
  readonly remarks: readonly string[]
  readonly depth: number
  readonly isClosed?: boolean
}

/** Ids of folders begin with it; no address does. */
export const folderPrefix = 'folder '

/** Templates first: there are few, and they lead to the most. */
export function readResources(
  resources: readonly ListItem[],
  templates: readonly ListItem[],
): readonly ResourceItem[] {
  return [
    ...templates.map((item) => readItem(item, 'template', textOf(item['uriTemplate']) ?? '')),
    ...resources.map((item) => readItem(item, 'resource', textOf(item['uri']) ?? '')),
  ]
}

/** The same by folders of their addresses; what is in a closed one is left out. */
export function buildTree(
  items: readonly ResourceItem[],
  closed: ReadonlySet<string>,
): readonly ResourceItem[] {
  const rows: ResourceItem[] = []
  const ids = new Set<string>()
  for (const item of items.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
    const parts = splitAddress(item.id)
    const folders = parts.slice(0, -1)
    let isHidden = false
    for (const [depth, name] of folders.entries()) {
      const id = `${folderPrefix}${folders.slice(0, depth + 1).join('/')}`
      const isClosed = closed.has(id)
      if (!ids.has(id) && !isHidden) {
        rows.push({
          id,
          kind: 'folder',
          name,
          description: undefined,
          mimeType: undefined,
          size: undefined,
          remarks: [],
          depth,
          isClosed,
        })
      }
      ids.add(id)
      if (isClosed) isHidden = true
    }
    if (!isHidden) rows.push({ ...item, name: parts.at(-1) ?? item.name, depth: folders.length })
  }
  return rows
}

/** `scheme://host`, then each step of the path. */
function splitAddress(address: string): readonly string[] {
  const [, root = '', path = ''] = /^([\w+.-]+:\/\/[^/]*)\/?(.*)$/.exec(address) ?? []
  if (root === '') return [address]
  return [root, ...path.split('/').filter(Boolean)]
}

function readItem(item: ListItem, kind: 'resource' | 'template', id: string): ResourceItem {
  return {
    id,
    kind,
    name: textOf(item['title']) ?? textOf(item['name']) ?? id,
    description: textOf(item['description']),
    mimeType: textOf(item['mimeType']),
    icons: item['icons'],
    size: typeof item['size'] === 'number' ? item['size'] : undefined,
    remarks: remarksOf(item['annotations']),
    depth: 0,
  }
}

function remarksOf(annotations: unknown): readonly string[] {
  const { audience, priority, lastModified } = recordOf(annotations)
  const readers = listOf(audience).flatMap((reader) => textOf(reader) ?? [])
  const changed = textOf(lastModified)
  return [
    ...(readers.length > 0 ? [`for ${readers.join(' and ')}`] : []),
    ...(typeof priority === 'number' ? [`priority ${priority}`] : []),
    ...(changed === undefined ? [] : [`changed ${changed.slice(0, 10)}`]),
  ]
}
