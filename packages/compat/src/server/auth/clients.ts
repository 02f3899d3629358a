import type { OAuthClientInformationFull } from '../../shared/auth.ts'

/** Keeps registered clients. */
export interface OAuthRegisteredClientsStore {
  getClient(
    clientId: string,
  ): OAuthClientInformationFull | undefined | Promise<OAuthClientInformationFull | undefined>
  /** Without it clients cannot register themselves. */
  registerClient?(
    client: Omit<OAuthClientInformationFull, 'client_id' | 'client_id_issued_at'>,
  ): OAuthClientInformationFull | Promise<OAuthClientInformationFull>
}
