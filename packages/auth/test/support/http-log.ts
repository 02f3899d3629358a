export { openLoggedServer } from '../../../../test-support/http-log.ts'
export type { Answer, LoggedServer, RawExchange, Seen } from '../../../../test-support/http-log.ts'
