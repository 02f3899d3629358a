/**
 * Published servers of many authors, which run on the official SDK and on this package in `npm test`.
 *
 * They need no network, no key and no other program, and what is called changes nothing outside of the folder. To try others, see
 * `run.mjs`.
 */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const modules = new URL('../../../node_modules/', import.meta.url)

/**
 * Servers of the people who write the protocol.
 *
 * @type {(folder: string) => Readonly<Record<string, Omit<import('./transcript.mjs').PublishedServer, 'file'>>>}
 */
export const protocolServers = (folder) => ({
  '@modelcontextprotocol/server-everything': {
    calls: [
      ['echo', { message: 'a' }],
      ['get-sum', { a: 1, b: 2 }],
    ],
  },
  '@modelcontextprotocol/server-filesystem': { args: [folder] },
  '@modelcontextprotocol/server-memory': {
    env: { MEMORY_FILE_PATH: join(folder, 'memory.json') },
  },
  '@modelcontextprotocol/server-sequential-thinking': {},
})

/**
 * Servers of others, each of another author.
 *
 * @type {(folder: string) => Readonly<Record<string, Omit<import('./transcript.mjs').PublishedServer, 'file'>>>}
 */
export const otherServers = (folder) => ({
  '@hubspot/mcp-server': {
    env: { PRIVATE_APP_ACCESS_TOKEN: 'none' },
    calls: [
      ['hubspot-get-link', { portalId: '1', uiDomain: 'example.com', pageRequests: [] }],
      ['hubspot-generate-feedback-link', {}],
    ],
  },
  '@itseasy21/mcp-knowledge-graph': {
    args: ['--memory-path', join(folder, 'graph.jsonl')],
    calls: [
      ['create_entities', { entities: [] }],
      ['search_nodes', { query: 'none' }],
    ],
  },
  '@kazuph/mcp-taskmanager': {
    env: { TASK_MANAGER_FILE_PATH: join(folder, 'tasks.json') },
    calls: [
      ['get_next_task', { requestId: 'none' }],
      ['list_requests', {}],
    ],
  },
  '@mcp-get-community/server-curl': {
    calls: [
      ['curl', { url: 'data:text/plain,a' }],
      ['curl', { url: 'data:text/html,b' }],
    ],
  },
  '@microsoft/clarity-mcp-server': {
    calls: [
      ['query-analytics-dashboard', { query: 'a' }],
      ['list-session-recordings', { filters: {} }],
    ],
  },
  'mcp-sequentialthinking-tools': {},
  'mcp-server-code-runner': {
    calls: [
      ['run-code', { languageId: 'javascript', code: 'console.log(1 + 1)' }],
      ['run-code', { languageId: 'none', code: '' }],
    ],
  },
  'mcp-shrimp-task-manager': {
    env: { DATA_DIR: folder },
    calls: [
      ['list_tasks', { status: 'all' }],
      ['init_project_rules', {}],
    ],
  },
  'time-mcp': {
    calls: [
      ['days_in_month', { date: '2024-02-10' }],
      ['get_week_year', { date: '2025-03-23' }],
    ],
  },
})

/** The program of a package. @param {string} name */
export function programOf(name) {
  const root = new URL(`${name}/`, modules)
  const { bin } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'))
  return new URL(typeof bin === 'string' ? bin : String(Object.values(bin)[0]), root)
}
