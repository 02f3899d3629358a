import type { AppPage } from '@parley/mcp/apps'

/** An app of a server: its page, and what is worth a look about it. */
export interface AppView {
  readonly page: AppPage
  readonly findings: readonly AppFinding[]
}

/** Something about an app that is worth a look, such as a script that its policy forbids. */
export interface AppFinding {
  readonly level: 'info' | 'warning' | 'error'
  readonly message: string
  readonly detail?: string | undefined
  readonly hint?: string | undefined
}
