/** What of the protocol a server may use of a host, besides tools. */
export type HostFeature = 'prompts' | 'resources' | 'sampling' | 'elicitation' | 'roots'

/** Where a claim is from, and of when: the day it was written, or else the day it was read. */
export interface Source {
  readonly url: string
  readonly date: string
}

/** One thing that somebody says about a host. */
export type HostClaim = { readonly source: Source } & (
  | {
      readonly about: 'features'
      readonly lacks: readonly HostFeature[]
      /** `silent`: it does not say that it can. */
      readonly says: 'no' | 'silent'
    }
  | { readonly about: 'tools'; readonly most: number; readonly of: string }
  | {
      readonly about: 'names'
      /** Whether a tool of this name, at a server that is called so there, is taken as it is. */
      readonly isUsed: (tool: string, server: string) => boolean
      readonly rule: string
    }
  | {
      readonly about: 'schemas'
      /** Keywords of the input schema, at its root or anywhere. */
      readonly keywords: readonly string[]
      readonly at: 'root' | 'anywhere'
      readonly becomes: string
    }
)

export interface Host {
  readonly host: string
  readonly claims: readonly HostClaim[]
}

const clientList = { url: 'https://modelcontextprotocol.io/clients', date: '2026-05-14' }
const clientMatrix = {
  url: 'https://www.developersdigest.tech/mcp-servers/clients',
  date: '2026-11-15',
}
const combined = ['oneOf', 'anyOf', 'allOf']

/** What is said about hosts. Without a source nothing is said here. */
export const hosts: readonly Host[] = [
  {
    host: 'Claude Desktop',
    claims: [
      { about: 'features', lacks: ['sampling'], says: 'no', source: clientMatrix },
      {
        about: 'features',
        lacks: ['elicitation', 'roots'],
        says: 'silent',
        source: clientMatrix,
      },
      {
        about: 'schemas',
        keywords: combined,
        at: 'root',
        becomes: 'refused by the API of its models',
        source: { url: 'https://github.com/kenn-io/kata/pull/365', date: '2026-09-14' },
      },
    ],
  },
  {
    host: 'Claude Code',
    claims: [
      { about: 'features', lacks: ['sampling'], says: 'silent', source: clientList },
      {
        about: 'schemas',
        keywords: combined,
        at: 'root',
        becomes: 'left out silently',
        source: { url: 'https://github.com/opentokenz/mcpx/issues/28', date: '2026-09-21' },
      },
    ],
  },
  {
    host: 'VS Code',
    claims: [
      { about: 'features', lacks: [], says: 'silent', source: clientList },
      {
        about: 'tools',
        most: 128,
        of: 'in one request, of all servers together',
        source: { url: 'https://github.com/microsoft/vscode/issues/337428', date: '2026-09-23' },
      },
    ],
  },
  {
    host: 'Cursor',
    claims: [
      { about: 'features', lacks: ['sampling'], says: 'silent', source: clientList },
      {
        about: 'tools',
        most: 80,
        of: 'of all servers together',
        source: { url: 'https://github.com/Snowflake-Labs/mcp/issues/77', date: '2025-09-02' },
      },
      {
        about: 'names',
        isUsed: (tool, server) => tool.length + server.length < 60,
        rule: 'fewer than 60 letters, with those of the server',
        source: { url: 'https://github.com/ComposioHQ/composio/issues/2788', date: '2026-02-27' },
      },
    ],
  },
  {
    host: 'Windsurf',
    claims: [
      {
        about: 'tools',
        most: 100,
        of: 'of all servers together',
        source: { url: 'https://docs.devin.ai/desktop/cascade/mcp', date: '2026-09-27' },
      },
    ],
  },
  {
    host: 'ChatGPT',
    claims: [
      {
        about: 'features',
        lacks: ['prompts', 'resources', 'sampling', 'elicitation', 'roots'],
        says: 'silent',
        source: clientList,
      },
    ],
  },
  {
    host: 'Gemini CLI',
    claims: [
      {
        about: 'features',
        lacks: ['sampling', 'elicitation', 'roots'],
        says: 'silent',
        source: clientList,
      },
      {
        about: 'names',
        isUsed: (tool, server) => `mcp_${server}_${tool}`.length <= 64 && /^[\w.-]+$/.test(tool),
        rule: 'at most 64 letters, with mcp_ and those of the server, else they are cut',
        source: {
          url: 'https://zuplo.com/learn/mcp/compatibility/clients/gemini-cli',
          date: '2026-07-31',
        },
      },
      {
        about: 'schemas',
        keywords: ['additionalProperties'],
        at: 'anywhere',
        becomes: 'taken without',
        source: {
          url: 'https://github.com/google-gemini/gemini-cli/blob/main/docs/tools/mcp-server.md',
          date: '2026-11-15',
        },
      },
    ],
  },
  {
    host: 'Chat-completions APIs',
    claims: [
      {
        about: 'names',
        isUsed: (tool) => /^[\w-]{1,64}$/.test(tool),
        rule: 'at most 64 letters, digits, _ and -',
        source: {
          url: 'https://portkey.ai/error-library/input-validation-error-10046',
          date: '2026-11-15',
        },
      },
    ],
  },
]
