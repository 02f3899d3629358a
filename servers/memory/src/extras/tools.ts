import { ToolError } from '@parley/mcp'
import { defineTool, type Feature } from '@parley/mcp/server'
import { prettyResult, toolHints } from '@parley/server-kit/tools'
import { z } from 'zod'

import type { GraphAccess } from '../graph-access.ts'
import { entitySchema } from '../schemas.ts'
import { exportLines, importLines } from './import-export.ts'
import { mergeEntities, updateEntity } from './rename.ts'

/** Tools the reference does not have; each only when it is switched on. */
export function extraTools(access: GraphAccess): readonly Feature[] {
  return [
    ...(access.has('update') ? [updateTool(access)] : []),
    ...(access.has('merge') ? [mergeTool(access)] : []),
    ...(access.has('export') ? [exportTool(access), importTool(access)] : []),
    ...(access.has('graphs') ? [listGraphsTool(access)] : []),
  ]
}

function updateTool({ input, change }: GraphAccess): Feature {
  return defineTool(
    'update_entity',
    {
      title: 'Update Entity',
      description: 'Gives an entity another name or type. Its relations follow it.',
      inputSchema: input({
        name: z.string().describe('The entity'),
        newName: z.string().optional().describe('Must not be taken'),
        entityType: z.string().optional().describe('The new type'),
      }),
      outputSchema: entitySchema,
      annotations: toolHints('destroys', { idempotent: true }),
    },
    async (args) => prettyResult(await change(args, (graph) => updateEntity(graph.store, args))),
  )
}

function mergeTool({ input, change }: GraphAccess): Feature {
  return defineTool(
    'merge_entities',
    {
      title: 'Merge Entities',
      description:
        'Makes several entities one: it gets the facts and relations of all, and they go.',
      inputSchema: input({
        into: z.string().describe('The entity that stays'),
        names: z.array(z.string()).min(1).describe('The entities that go'),
      }),
      outputSchema: entitySchema,
      annotations: toolHints('destroys'),
    },
    async (args) => prettyResult(await change(args, (graph) => mergeEntities(graph.store, args))),
  )
}

function exportTool({ input, read }: GraphAccess): Feature {
  return defineTool(
    'export_graph',
    {
      title: 'Export Graph',
      description: 'Gives the whole graph as lines of JSON, as import_graph takes it.',
      inputSchema: input({}),
      outputSchema: z.object({ lines: z.string() }),
      annotations: toolHints('reads'),
    },
    (args) => read(args, (graph) => graph.store.read((view) => ({ lines: exportLines(view) }))),
  )
}

function importTool({ input, change }: GraphAccess): Feature {
  return defineTool(
    'import_graph',
    {
      title: 'Import Graph',
      description:
        'Adds the entities and relations in lines of JSON. Entities that are there already get the facts they lack. All or nothing.',
      inputSchema: input({ lines: z.string().describe('As export_graph gives them') }),
      outputSchema: z.object({ entities: z.int(), observations: z.int(), relations: z.int() }),
      annotations: toolHints('adds', { idempotent: true }),
    },
    async (args) => {
      const imported = await change(args, (graph) => importLines(graph.store, args.lines))
      if ('refused' in imported) throw new ToolError(imported.refused)
      return imported
    },
  )
}

function listGraphsTool({ graphs }: GraphAccess): Feature {
  return defineTool(
    'list_graphs',
    {
      title: 'List Graphs',
      description: 'Names the graphs there are beside the main one.',
      outputSchema: z.object({ graphs: z.array(z.string()) }),
      annotations: toolHints('reads'),
    },
    async () => ({ graphs: [...(await graphs.list())] }),
  )
}
