import type { RunOutcome, StepUp, StepUpStage } from '../../protocol/index.ts'

/** Follows one call with too few scopes, and says of each stage whether it is as it must be. */
export interface StepUpReport {
  readonly view: StepUp
  /** The server refused. */
  onRejection(status: number, wwwAuthenticate: string | undefined): void
  /** A person is asked. */
  onConsent(url: URL): void
  onEnd(outcome: RunOutcome, granted: readonly string[] | undefined): void
}

export function createStepUpReport(
  tool: string,
  had: readonly string[] | undefined,
  onChange: () => void,
): StepUpReport {
  const stages: StepUpStage[] = [
    { stage: 'token', verdict: 'note', text: 'The token has', ...(had && { scopes: had }) },
  ]
  let wanted: readonly string[] | undefined
  let outcome: RunOutcome | undefined

  function add(stage: StepUpStage): void {
    stages.push(stage)
    onChange()
  }

  return {
    get view() {
      const isRunning = outcome === undefined
      return { tool, isRunning, stages: [...stages], ...(outcome && { outcome }) }
    },
    onRejection(status, header) {
      const challenge = readScopeChallenge(header)
      wanted = challenge.scopes
      add({ stage: 'challenge', ...judgeRejection(status, header, challenge) })
    },
    onConsent(url) {
      const scopes = (url.searchParams.get('scope') ?? '').split(' ').filter((word) => word !== '')
      const missing = [...(had ?? []), ...(wanted ?? [])].filter(
        (candidate) => !scopes.includes(candidate),
      )
      add({
        stage: 'consent',
        verdict: missing.length === 0 ? 'right' : 'wrong',
        text: 'The user is asked for these, all together',
        scopes,
      })
    },
    onEnd(ended, granted) {
      outcome = ended
      const wasRejected = stages.some(({ stage }) => stage === 'challenge')
      const wasAsked = stages.some(({ stage }) => stage === 'consent')
      if (wasAsked && granted !== undefined) {
        const isEnough = (wanted ?? []).every((scope) => granted.includes(scope))
        stages.push({
          stage: 'grant',
          verdict: isEnough ? 'right' : 'wrong',
          text: isEnough ? 'The new token has' : 'The new token has less than the call needs',
          scopes: granted,
        })
      }
      add({ stage: 'call', ...judgeOutcome(ended, wasRejected) })
    },
  }
}

type Classified = Pick<StepUpStage, 'verdict' | 'text' | 'scopes'>

function judgeRejection(
  status: number,
  header: string | undefined,
  { scopes, isInsufficientScope, hasMetadata }: ScopeChallenge,
): Classified {
  const wrong = (text: string): Classified => ({
    verdict: 'wrong',
    text,
    ...(scopes && { scopes }),
  })
  if (status === 401) {
    return wrong('The server answers 401, as if there were no token; missing scopes should be 403')
  }
  if (header === undefined) {
    return wrong(
      'The server answers 403 without WWW-Authenticate, so no client learns what it needs',
    )
  }
  if (!isInsufficientScope) {
    return wrong('The server answers 403, and not with error="insufficient_scope"')
  }
  if (scopes === undefined) {
    return wrong('The server answers 403 insufficient_scope and names no scope')
  }
  const where = hasMetadata ? '' : ', without resource_metadata'
  return {
    verdict: 'right',
    text: `The server answers 403 insufficient_scope${where}; the call needs`,
    scopes,
  }
}

function judgeOutcome({ error, result }: RunOutcome, wasRejected: boolean): Classified {
  if (error !== undefined) return { verdict: 'wrong', text: `The call failed: ${error.message}` }
  const isToolError = result?.['isError'] === true
  const ending = isToolError ? 'the tool says that it failed' : 'it was answered'
  if (wasRejected) return { verdict: 'right', text: `The call was sent again, and ${ending}` }
  return {
    verdict: 'note',
    text: `Nothing was refused: ${ending}. This token is sufficient; start with fewer scopes`,
  }
}

/** What a refusal says about scopes. */
interface ScopeChallenge {
  /** Absent: the server does not name any. */
  readonly scopes?: readonly string[] | undefined
  readonly isInsufficientScope: boolean
  readonly hasMetadata: boolean
}

/** Reads a `WWW-Authenticate` header as far as scopes are concerned. */
export function readScopeChallenge(header = ''): ScopeChallenge {
  const [, scope] = /\bscope="([^"]*)"/i.exec(header) ?? []
  return {
    isInsufficientScope: /\berror="?insufficient_scope"?/i.test(header),
    hasMetadata: /\bresource_metadata="/i.test(header),
    ...(scope && { scopes: scope.split(' ').filter((word) => word !== '') }),
  }
}
