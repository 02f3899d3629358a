/** What the reference server lists, without descriptions; recorded from its release 2026.8.31 over stdio. */

const text = { type: 'string' }
const texts = { type: 'array', items: text }
const entity = { name: text, entityType: text, observations: texts }
const relation = { from: text, to: text, relationType: text }
const deletion = { entityName: text, observations: texts }

const looksOnly = hints({ readOnlyHint: true, destructiveHint: false, idempotentHint: true })
const adds = hints({ readOnlyHint: false, destructiveHint: false, idempotentHint: false })
const takesAway = hints({ readOnlyHint: false, destructiveHint: true, idempotentHint: true })

const graph = answers({ entities: listOf(answers(entity)), relations: listOf(answers(relation)) })
const done = answers({ success: { type: 'boolean' }, message: text })

export const referenceTools = [
  {
    name: 'create_entities',
    title: 'Create Entities',
    inputSchema: takes({ entities: listOf(takes(entity)) }),
    outputSchema: answers({ entities: listOf(answers(entity)) }),
    annotations: adds,
  },
  {
    name: 'create_relations',
    title: 'Create Relations',
    inputSchema: takes({ relations: listOf(takes(relation)) }),
    outputSchema: answers({ relations: listOf(answers(relation)) }),
    annotations: adds,
  },
  {
    name: 'add_observations',
    title: 'Add Observations',
    inputSchema: takes({ observations: listOf(takes({ entityName: text, contents: texts })) }),
    outputSchema: answers({
      results: listOf(answers({ entityName: text, addedObservations: texts })),
    }),
    annotations: adds,
  },
  {
    name: 'delete_entities',
    title: 'Delete Entities',
    inputSchema: takes({ entityNames: texts }),
    outputSchema: done,
    annotations: takesAway,
  },
  {
    name: 'delete_observations',
    title: 'Delete Observations',
    inputSchema: takes({ deletions: listOf(takes(deletion)) }),
    outputSchema: done,
    annotations: takesAway,
  },
  {
    name: 'delete_relations',
    title: 'Delete Relations',
    inputSchema: takes({ relations: listOf(takes(relation)) }),
    outputSchema: done,
    annotations: takesAway,
  },
  {
    name: 'read_graph',
    title: 'Read Graph',
    inputSchema: { type: 'object', properties: {} },
    outputSchema: graph,
    annotations: looksOnly,
  },
  {
    name: 'search_nodes',
    title: 'Search Nodes',
    inputSchema: takes({ query: text }),
    outputSchema: graph,
    annotations: looksOnly,
  },
  {
    name: 'open_nodes',
    title: 'Open Nodes',
    inputSchema: takes({ names: texts }),
    outputSchema: graph,
    annotations: looksOnly,
  },
]

export const referenceResource = {
  name: 'knowledge-graph',
  title: 'Knowledge Graph',
  uri: 'memory://knowledge-graph',
  mimeType: 'application/json',
}

function hints(some: object): object {
  return { ...some, openWorldHint: false }
}

function listOf(items: object): object {
  return { type: 'array', items }
}

function takes(properties: object): object {
  return { type: 'object', properties, required: Object.keys(properties) }
}

function answers(properties: object): object {
  return { ...takes(properties), additionalProperties: false }
}
