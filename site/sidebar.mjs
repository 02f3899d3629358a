/** The navigation: groups of pages, in the order in which a newcomer meets them. Every page of `docs/` is in it; contributors' pages are in `docs/internals`. */

import { join } from 'node:path'

import { root, sitePages } from './content.mjs'
import { readEntries } from './reference/entries.mjs'

/** @type {readonly (readonly [group: string, pages: readonly (readonly [title: string, file: string])[]])[]} */
export const groups = [
  [
    'Start',
    [
      ['What MCP is', 'concepts.md'],
      ['Get started', 'get-started.md'],
      ['Add your server to a host', 'hosts.md'],
      ['Test your server', 'testing.md'],
      ['Run your server on Parley', 'compat.md'],
      ['Move from another SDK', 'migrating.md'],
    ],
  ],
  [
    'Servers',
    [
      ['Tools', 'tools.md'],
      ['Resources', 'resources.md'],
      ['Prompts and completion', 'prompts.md'],
      ['Ask the user', 'elicitation.md'],
      ['Long-running calls', 'progress.md'],
      ['Tasks', 'tasks.md'],
      ['Context and middleware', 'context.md'],
      ['Many tools', 'many-tools.md'],
      ['OpenAPI', 'openapi.md'],
      ['Apps', 'apps.md'],
      ['Skills', 'skills.md'],
      ['Schemas', 'schemas.md'],
      ['Extensions and server cards', 'extensions.md'],
    ],
  ],
  [
    'Clients',
    [
      ['Client', 'client.md'],
      ['Subscriptions and caching', 'caching.md'],
      ['React', 'react.md'],
    ],
  ],
  [
    'Protocol',
    [
      ['Transports', 'transports.md'],
      ['HTTP', 'http.md'],
      ['Limits', 'limits.md'],
      ['Protocol revisions', 'revisions.md'],
      ['Input rounds', 'input-rounds.md'],
    ],
  ],
  [
    'Authorization',
    [
      ['Which authorization?', 'authorization.md'],
      ['Protect a server', 'protecting.md'],
      ['Sign in from a client', 'signing-in.md'],
      ['Run an authorization server', 'authorization-server.md'],
      ['Sign in with GitHub, Google and others', 'sign-in-with.md'],
      ['Threat model', 'threat-model.md'],
    ],
  ],
  [
    'Deploy',
    [
      ['Deploy', 'deploy.md'],
      ['Frameworks', 'frameworks.md'],
      ['Run on many machines', 'cluster.md'],
      ['Failure modes and guarantees', 'cluster-guarantees.md'],
      ['Capacity', 'capacity.md'],
      ['Cloudflare Workers', 'workers.md'],
      ['Telemetry', 'telemetry.md'],
      ['Recipes', 'recipes.md'],
    ],
  ],
  [
    'Debug',
    [
      ['Debugging', 'debugging.md'],
      ['Inspector', 'inspector.md'],
      ['Traces, collections and load', 'traces.md'],
      ['Inspector security', 'inspector-security.md'],
      ['Errors and messages', 'errors.md'],
      ['Command line', 'cli/index.md'],
    ],
  ],
  [
    'Gateway',
    [
      ['Gateway', 'gateway.md'],
      ['Configuration', 'gateway-configuration.md'],
      ['Authentication and credentials', 'gateway-authentication.md'],
      ['Policies, limits and audit', 'gateway-policy.md'],
      ['Operate a gateway', 'gateway-operations.md'],
      ['Run in production', 'operate.md'],
      ['Bridge', 'bridge.md'],
    ],
  ],
  [
    'Hosts',
    [
      ['Chat', 'chat.md'],
      ['Build a host', 'host.md'],
      ['Consent', 'consent.md'],
      ['Models and adapters', 'models.md'],
      ['Agents', 'agents.md'],
      ['Code mode', 'code-mode.md'],
    ],
  ],
  [
    'Registry',
    [
      ['Publish a server', 'publish.md'],
      ['Run a registry', 'registry.md'],
      ['Moderate a registry', 'registry-moderation.md'],
    ],
  ],
  [
    'Reference',
    [
      ['Configuration files', 'configuration.md'],
      ['Reference servers', 'servers.md'],
      ['Server security', 'server-security.md'],
    ],
  ],
]

export function readSidebar() {
  const places = sitePages()
  const sidebar = groups.map(([text, pages]) => ({
    text,
    items: pages.map(([title, file]) => ({
      text: title,
      link: linkOf(places.get(join('docs', file)) ?? file),
    })),
  }))
  const reference = readEntries(root).map(({ name, page }) => ({
    text: name.replace('@parley/', ''),
    link: `/reference/${page}`,
  }))
  // With a link, the mark that opens the group is the only button of its line.
  const group = { text: 'API reference', link: '/reference/', collapsed: true, items: reference }
  return [...sidebar, group]
}

function linkOf(/** @type {string} */ place) {
  return `/${place.replace(/(?:index)?\.md$/, '')}`
}
