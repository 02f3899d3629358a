import type { CommandModule } from '../command.ts'

/** A command by its name; its code is loaded when it is used. */
export interface CommandEntry {
  readonly name: string
  readonly summary: string
  /** On the first page of the help, on the second, or on neither: an earlier name, kept until 0.2. @defaultValue 'more' */
  readonly help?: 'first' | 'more' | 'hidden' | undefined
  readonly load: () => Promise<CommandModule>
}

/** All commands, in the order of the help. */
export const commandTable: readonly CommandEntry[] = [
  {
    name: 'list',
    summary: 'what a server offers, or one thing of it in detail',
    help: 'first',
    load: () => import('./list.ts'),
  },
  {
    name: 'describe',
    summary: 'show one tool, prompt or resource in detail',
    help: 'hidden',
    load: () => import('./describe.ts'),
  },
  { name: 'call', summary: 'call a tool', help: 'first', load: () => import('./call.ts') },
  { name: 'read', summary: 'read a resource', help: 'first', load: () => import('./read.ts') },
  { name: 'prompt', summary: 'get a prompt', load: () => import('./prompt.ts') },
  {
    name: 'request',
    summary: 'send one request with any method',
    load: () => import('./request.ts'),
  },
  {
    name: 'complete',
    summary: 'ask for completions of an argument',
    help: 'hidden',
    load: () => import('./complete.ts'),
  },
  {
    name: 'info',
    summary: 'show the name, capabilities and protocol of a server',
    help: 'hidden',
    load: () => import('./info.ts'),
  },
  {
    name: 'ping',
    summary: 'how long a server takes to answer',
    help: 'hidden',
    load: () => import('./ping.ts'),
  },
  { name: 'watch', summary: 'changes and logs as they happen', load: () => import('./watch.ts') },
  {
    name: 'inspect',
    summary: 'show servers in the browser',
    help: 'first',
    load: () => import('./inspect.ts'),
  },
  {
    name: 'doctor',
    summary: 'find out why a server does not work, step by step',
    help: 'first',
    load: () => import('./doctor.ts'),
  },
  {
    name: 'check',
    summary: 'test a server against the requirements of the protocol',
    help: 'hidden',
    load: () => import('./check.ts'),
  },
  {
    name: 'test',
    summary: 'test a server against the protocol, or with saved requests',
    help: 'first',
    load: () => import('./test.ts'),
  },
  {
    name: 'auth',
    summary: 'sign in to servers, and show where you are signed in',
    help: 'hidden',
    load: () => import('./auth.ts'),
  },
  {
    name: 'login',
    summary: 'sign in to a server',
    help: 'first',
    load: () => import('./auth.ts'),
  },
  { name: 'logout', summary: 'delete the tokens of a server', load: () => import('./auth.ts') },
  { name: 'accounts', summary: 'where you are signed in', load: () => import('./auth.ts') },
  {
    name: 'bench',
    summary: 'call a tool many times and measure',
    load: () => import('./bench.ts'),
  },
  {
    name: 'trace',
    summary: 'show, count, compare and convert traces',
    load: () => import('../trace/trace.ts'),
  },
  {
    name: 'config',
    summary: 'list and check configuration files; show where an entry came from',
    load: () => import('./config.ts'),
  },
  {
    name: 'rules',
    summary: 'manage which tool calls are allowed',
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
    help: 'first',
    load: () => import('../gateway/gateway.ts'),
  },
  {
    name: 'registry',
    summary: 'serve and operate a registry',
    load: () => import('../registry/registry.ts'),
  },
  {
    name: 'publish',
    summary: 'publish a server to a registry',
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
    help: 'first',
    load: () => import('../registry/add.ts'),
  },
  {
    name: 'link',
    summary: 'links and commands for a README that install a server',
    load: () => import('../registry/link.ts'),
  },
  {
    name: 'remove',
    summary: 'remove a server from a configuration file',
    load: () => import('../registry/remove.ts'),
  },
  {
    name: 'update',
    summary: 'update installed servers',
    load: () => import('../registry/update.ts'),
  },
  {
    name: 'why',
    summary: 'where an entry of a configuration file came from',
    help: 'hidden',
    load: () => import('../registry/why.ts'),
  },
  {
    name: 'chat',
    summary: 'talk to a model that may use your servers, and decide about each call',
    help: 'first',
    load: () => import('./host/chat.ts'),
  },
  {
    name: 'run',
    summary: 'run one prompt against a model, without a person',
    load: () => import('./host/run.ts'),
  },
  {
    name: 'dev',
    summary: 'run a server from source with the inspector, and restart it on changes',
    help: 'first',
    load: () => import('./dev.ts'),
  },
  {
    name: 'types',
    summary: "TypeScript types of a server's tools and prompts",
    load: () => import('./types.ts'),
  },
  { name: 'init', summary: 'create a project', help: 'first', load: () => import('./init.ts') },
  {
    name: 'migrate',
    summary: 'import Parley in place of the official SDK',
    load: () => import('./migrate.ts'),
  },
  {
    name: 'completion',
    summary: 'completions for bash, zsh or fish',
    load: () => import('./completion.ts'),
  },
]
