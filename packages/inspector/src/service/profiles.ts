import type { Methods, QuestionView } from '../protocol/index.ts'
import type { Offered } from './warnings.ts'

/** What one host application documents about itself, and where. Facts of 2026. */
interface Profile {
  readonly host: string
  readonly source: string
  readonly mostTools?: number | undefined
  /** Which names of tools it takes. */
  readonly toolName?: { readonly pattern: RegExp; readonly what: string } | undefined
  /** What its documentation says it does not do, or does not mention. */
  readonly lacks: readonly Feature[]
}

type Feature = 'prompts' | 'resources' | 'sampling' | 'elicitation' | 'roots'

const matrix = 'https://www.developersdigest.tech/mcp-servers/clients'

const profiles: readonly Profile[] = [
  { host: 'Claude Desktop', source: matrix, lacks: ['sampling', 'elicitation', 'roots'] },
  { host: 'Claude Code', source: matrix, lacks: ['sampling'] },
  {
    host: 'VS Code',
    source: 'https://github.com/postmanlabs/postman-mcp-server/pull/35',
    lacks: [],
    mostTools: 128,
  },
  { host: 'Cursor', source: matrix, lacks: ['sampling'] },
  {
    host: 'Windsurf',
    source: 'https://docs.windsurf.com/windsurf/cascade/mcp',
    lacks: [],
    mostTools: 100,
  },
  {
    host: 'Chat-completions APIs',
    source: 'https://portkey.ai/error-library/input-validation-error-10046',
    lacks: ['prompts', 'resources', 'sampling', 'elicitation', 'roots'],
    toolName: { pattern: /^[\w-]{1,64}$/, what: 'at most 64 letters, digits, _ and -' },
  },
]

/** What each host would not show or do with a server that offers this and has asked that. */
export function describeProfiles(
  offered: Offered,
  asked: ReadonlySet<QuestionView['kind']>,
): Methods['servers/profiles']['result'] {
  const used: { readonly [F in Feature]: string | undefined } = {
    prompts: offered.prompts.length > 0 ? `${offered.prompts.length} prompts` : undefined,
    resources: countResources(offered),
    sampling: asked.has('sampling') ? 'questions to the model, which it has asked here' : undefined,
    elicitation: asked.has('elicitation')
      ? 'questions to the user, which it has asked here'
      : undefined,
    roots: asked.has('roots') ? 'roots, which it has asked for here' : undefined,
  }
  return profiles.map(({ host, source, lacks, mostTools = Infinity, toolName }) => {
    const names = offered.tools.map(({ name }) => (typeof name === 'string' ? name : ''))
    const refused = toolName ? names.filter((name) => !toolName.pattern.test(name)) : []
    return {
      host,
      source,
      loses: [
        ...lacks.flatMap((feature) => used[feature] ?? []),
        ...(names.length > mostTools
          ? [`${names.length - mostTools} tools beyond its ${mostTools}`]
          : []),
        ...(refused.length > 0
          ? [
              `the names of ${refused.length} tools (${refused.slice(0, 3).join(', ')}): it takes ${toolName?.what ?? ''}`,
            ]
          : []),
      ],
    }
  })
}

function countResources({ resources, templates }: Offered): string | undefined {
  const count = resources.length + templates.length
  return count === 0 ? undefined : `${count} resources and templates`
}
