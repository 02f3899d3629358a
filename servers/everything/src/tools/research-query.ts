import { setTimeout as wait } from 'node:timers/promises'

import { jsonSchema } from '@parley/mcp'
import { defineTool, type Context, type Feature, type RequestContext } from '@parley/mcp/server'
import { toolHints } from '@parley/server-kit/tools'
import { z } from 'zod'

const stages = [
  'Gathering sources',
  'Analyzing content',
  'Synthesizing findings',
  'Generating report',
] as const

/** Work that is a task: it goes on by itself, says where it stands, and may ask in the middle. */
export function researchQuery(stageMs: number): Feature {
  return defineTool(
    'simulate-research-query',
    {
      title: 'Simulate Research Query',
      description:
        'Pretends to research a topic as a task of four stages; an ambiguous one makes it ask what is meant.',
      inputSchema: z.object({
        topic: z.string().describe('What to research'),
        ambiguous: z.boolean().default(false).describe('Whether to ask what is meant'),
      }),
      annotations: toolHints('adds'),
      task: 'required',
      visible: canFollowTasks,
    },
    async ({ topic, ambiguous }, context) => {
      let meaning = `${topic}, in general`
      for (const [index, message] of stages.entries()) {
        await context.progress({ progress: index + 1, total: stages.length, message })
        if (ambiguous && index === 2) meaning = await askMeaning(topic, context)
        await wait(stageMs, undefined, { signal: context.signal })
      }
      return report(topic, meaning)
    },
  )
}

/** In 2025-11-25 any caller may ask for a task; later it has to say that it can follow one. */
function canFollowTasks({ client, revision }: RequestContext): boolean {
  if (revision === '2025-11-25') return true
  return client.capabilities.extensions?.['io.modelcontextprotocol/tasks'] !== undefined
}

/** The first meaning for those who cannot be asked, or do not say. */
async function askMeaning(topic: string, { client, elicit }: Context): Promise<string> {
  const meanings = meaningsOf(topic)
  const [first = topic] = meanings
  if (client.capabilities.elicitation === undefined) return first
  const answer = await elicit({
    message: `"${topic}" means more than one thing. Which do you mean?`,
    requestedSchema: jsonSchema<{ interpretation: string }>({
      type: 'object',
      properties: {
        interpretation: {
          type: 'string',
          title: 'Meaning',
          oneOf: meanings.map((meaning) => ({ const: meaning, title: meaning })),
        },
      },
      required: ['interpretation'],
    }),
  })
  return answer.action === 'accept' ? answer.content.interpretation : first
}

function meaningsOf(topic: string): readonly string[] {
  if (topic.toLowerCase() === 'python') {
    return ['Python, the programming language', 'Python, the snake', 'Monty Python, the comedians']
  }
  return [`${topic}, technically`, `${topic}, historically`, `${topic}, today`]
}

function report(topic: string, meaning: string): string {
  const lines = stages.map((stage, index) => `${index + 1}. ${stage}`)
  return `# Research report: ${topic}\n\nAbout ${meaning}. Nothing was really looked up.\n\n${lines.join('\n')}\n`
}
