import type { CommandModule } from '../command.ts'

/** A command by its name; its code is loaded when it is used. */
export interface CommandEntry {
  readonly name: string
  readonly summary: string
  readonly load: () => Promise<CommandModule>
}

/** All commands, in the order of the help. */
export const commandTable: readonly CommandEntry[] = [
  {
    name: 'list',
    summary: 'what a server offers: tools, resources, templates, prompts',
    load: () => import('./list.ts'),
  },
  {
    name: 'describe',
    summary: 'show one tool, prompt or resource in detail',
    load: () => import('./describe.ts'),
  },
  { name: 'call', summary: 'call a tool', load: () => import('./call.ts') },
  { name: 'read', summary: 'read a resource', load: () => import('./read.ts') },
  { name: 'prompt', summary: 'get a prompt', load: () => import('./prompt.ts') },
  {
    name: 'request',
    summary: 'send one request with any method',
    load: () => import('./request.ts'),
  },
  {
    name: 'complete',
    summary: 'ask for completions of an argument',
    load: () => import('./complete.ts'),
  },
  {
    name: 'info',
    summary: 'show the name, capabilities and protocol of a server',
    load: () => import('./info.ts'),
  },
  { name: 'ping', summary: 'how long a server takes to answer', load: () => import('./ping.ts') },
  { name: 'watch', summary: 'changes and logs as they happen', load: () => import('./watch.ts') },
  {
    name: 'inspect',
    summary: 'show servers in the browser',
    load: () => import('./inspect.ts'),
  },
  {
    name: 'doctor',
    summary: 'find out why a server cannot be reached, step by step',
    load: () => import('./doctor.ts'),
  },
  {
    name: 'check',
    summary: 'test a server against the requirements of the protocol',
    load: () => import('./check.ts'),
  },
  {
    name: 'test',
    summary: 'run collections of the inspector: requests with expected answers',
    load: () => import('./test.ts'),
  },
  {
    name: 'auth',
    summary: 'sign in to servers, and show where you are signed in',
    load: () => import('./auth.ts'),
  },
  {
    name: 'bench',
    summary: 'call a tool many times and measure',
    load: () => import('./bench.ts'),
  },
  {
    name: 'trace',
    summary: 'view, count, compare and convert traces',
    load: () => import('../trace/trace.ts'),
  },
  {
    name: 'config',
    summary: 'configuration files of this and other programs',
    load: () => import('./config.ts'),
  },
  {
    name: 'rules',
    summary: 'what a model may call without asking',
    load: () => import('../rules/rules.ts'),
  },
  {
    name: 'audit',
    summary: 'who allowed which call',
    load: () => import('../audit/audit.ts'),
  },
  { name: 'serve', summary: 'serve a definition from a file', load: () => import('./serve.ts') },
  {
    name: 'bridge',
    summary: 'serve a server on another transport',
    load: () => import('./bridge.ts'),
  },
  {
    name: 'gateway',
    summary: 'serve many servers at one address',
    load: () => import('../gateway/gateway.ts'),
  },
  {
    name: 'registry',
    summary: 'publish servers to a registry, or serve one',
    load: () => import('../registry/registry.ts'),
  },
  {
    name: 'search',
    summary: 'find servers in a registry',
    load: () => import('../registry/search.ts'),
  },
  {
    name: 'add',
    summary: 'add a server of a registry to a configuration file',
    load: () => import('../registry/add.ts'),
  },
  {
    name: 'update',
    summary: 'bring servers that were added to newer versions',
    load: () => import('../registry/update.ts'),
  },
  {
    name: 'why',
    summary: 'where an entry of a configuration file came from',
    load: () => import('../registry/why.ts'),
  },
  {
    name: 'chat',
    summary: 'talk to a model that may use your servers, and decide about each call',
    load: () => import('./host/chat.ts'),
  },
  {
    name: 'run',
    summary: 'ask a model that may use your servers, by rules',
    load: () => import('./host/run.ts'),
  },
  {
    name: 'dev',
    summary: 'run a server from source with the inspector, and restart it on changes',
    load: () => import('./dev.ts'),
  },
  {
    name: 'types',
    summary: "TypeScript types of a server's tools and prompts",
    load: () => import('./types.ts'),
  },
  { name: 'init', summary: 'create a project', load: () => import('./init.ts') },
  {
    name: 'migrate',
    summary: 'move sources from the official SDK or FastMCP',
    load: () => import('./migrate.ts'),
  },
  {
    name: 'completion',
    summary: 'completions for bash, zsh or fish',
    load: () => import('./completion.ts'),
  },
]
