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
    summary: 'all about one tool, prompt or resource',
    load: () => import('./describe.ts'),
  },
  { name: 'call', summary: 'call a tool', load: () => import('./call.ts') },
  { name: 'read', summary: 'read a resource', load: () => import('./read.ts') },
  { name: 'prompt', summary: 'get a prompt', load: () => import('./prompt.ts') },
  {
    name: 'complete',
    summary: 'ask for completions of an argument',
    load: () => import('./complete.ts'),
  },
  {
    name: 'info',
    summary: 'who a server is and what was agreed with it',
    load: () => import('./info.ts'),
  },
  { name: 'ping', summary: 'how long a server takes to answer', load: () => import('./ping.ts') },
  { name: 'watch', summary: 'changes and logs as they happen', load: () => import('./watch.ts') },
  {
    name: 'inspect',
    summary: 'look inside a server in the browser',
    load: () => import('./inspect.ts'),
  },
  {
    name: 'doctor',
    summary: 'what stands in the way to a server, step by step',
    load: () => import('./doctor.ts'),
  },
  {
    name: 'check',
    summary: 'which requirements of the protocol a server breaks',
    load: () => import('./check.ts'),
  },
  {
    name: 'test',
    summary: 'run collections of the inspector: requests, and what their answers must be',
    load: () => import('./test.ts'),
  },
  {
    name: 'auth',
    summary: 'sign in, and see what is signed in to',
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
    load: () => import('./trace.ts'),
  },
  {
    name: 'config',
    summary: 'configuration files of this and other programs',
    load: () => import('./config.ts'),
  },
  { name: 'serve', summary: 'serve a definition from a file', load: () => import('./serve.ts') },
  {
    name: 'dev',
    summary: 'run a server from source beside the inspector, anew on every change',
    load: () => import('./dev.ts'),
  },
  {
    name: 'types',
    summary: "TypeScript types of a server's tools and prompts",
    load: () => import('./types.ts'),
  },
  { name: 'init', summary: 'begin a project', load: () => import('./init.ts') },
  {
    name: 'completion',
    summary: 'completions for bash, zsh or fish',
    load: () => import('./completion.ts'),
  },
]
