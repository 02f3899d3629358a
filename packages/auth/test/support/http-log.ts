export { openLoggedServer } from '../../../../test-support/http-log.ts'
export type { Answer, LoggedServer, Seen } from '../../../../test-support/http-log.ts'
