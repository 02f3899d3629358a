import type { Response } from 'express'

import type {
  OAuthClientInformationFull,
  OAuthTokenRevocationRequest,
  OAuthTokens,
} from '../../shared/auth.ts'
import type { OAuthRegisteredClientsStore } from './clients.ts'
import type { AuthInfo } from './types.ts'

export type AuthorizationParams = {
  state?: string
  scopes?: string[]
  codeChallenge: string
  redirectUri: string
  resource?: URL
}

/** The decisions and tokens of an authorization server. */
export interface OAuthServerProvider {
  get clientsStore(): OAuthRegisteredClientsStore
  /** Sends the user through the sign-in, and back with a code. */
  authorize(
    client: OAuthClientInformationFull,
    params: AuthorizationParams,
    res: Response,
  ): Promise<void>
  challengeForAuthorizationCode(
    client: OAuthClientInformationFull,
    authorizationCode: string,
  ): Promise<string>
  exchangeAuthorizationCode(
    client: OAuthClientInformationFull,
    authorizationCode: string,
    codeVerifier?: string,
    redirectUri?: string,
    resource?: URL,
  ): Promise<OAuthTokens>
  exchangeRefreshToken(
    client: OAuthClientInformationFull,
    refreshToken: string,
    scopes?: string[],
    resource?: URL,
  ): Promise<OAuthTokens>
  verifyAccessToken(token: string): Promise<AuthInfo>
  revokeToken?(
    client: OAuthClientInformationFull,
    request: OAuthTokenRevocationRequest,
  ): Promise<void>
  /** The provider checks the verifier of the code itself. */
  skipLocalPkceValidation?: boolean
}

/** Checks access tokens. */
export interface OAuthTokenVerifier {
  verifyAccessToken(token: string): Promise<AuthInfo>
}
