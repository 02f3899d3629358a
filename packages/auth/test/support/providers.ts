/** What a provider answers, as it writes it: only the parts that matter, with invented ids. */
export interface Provider {
  readonly name: string
  /** As a server's metadata names it. */
  readonly issuer: string
  /** By URL; everything else is 404. */
  readonly documents: { readonly [url: string]: object }
}

const entraTenant = '11111111-2222-3333-4444-555555555555'

export const providers = {
  entra: {
    name: 'Microsoft Entra, one tenant',
    issuer: `https://login.microsoftonline.com/${entraTenant}/v2.0`,
    documents: {
      [`https://login.microsoftonline.com/${entraTenant}/v2.0/.well-known/openid-configuration`]: {
        issuer: `https://login.microsoftonline.com/${entraTenant}/v2.0`,
        authorization_endpoint: `https://login.microsoftonline.com/${entraTenant}/oauth2/v2.0/authorize`,
        token_endpoint: `https://login.microsoftonline.com/${entraTenant}/oauth2/v2.0/token`,
        token_endpoint_auth_methods_supported: [
          'client_secret_post',
          'private_key_jwt',
          'client_secret_basic',
          'self_signed_tls_client_auth',
        ],
        scopes_supported: ['openid', 'profile', 'email', 'offline_access'],
        response_types_supported: ['code', 'id_token', 'code id_token', 'id_token token'],
      },
    },
  },
  entraCommon: {
    name: 'Microsoft Entra, all tenants',
    issuer: 'https://login.microsoftonline.com/common/v2.0',
    documents: {
      'https://login.microsoftonline.com/common/v2.0/.well-known/openid-configuration': {
        issuer: 'https://login.microsoftonline.com/{tenantid}/v2.0',
        authorization_endpoint: 'https://login.microsoftonline.com/common/oauth2/v2.0/authorize',
        token_endpoint: 'https://login.microsoftonline.com/common/oauth2/v2.0/token',
        scopes_supported: ['openid', 'profile', 'email', 'offline_access'],
      },
    },
  },
  google: {
    name: 'Google',
    issuer: 'https://accounts.google.com',
    documents: {
      'https://accounts.google.com/.well-known/openid-configuration': {
        issuer: 'https://accounts.google.com',
        authorization_endpoint: 'https://accounts.google.com/o/oauth2/v2/auth',
        token_endpoint: 'https://oauth2.googleapis.com/token',
        code_challenge_methods_supported: ['plain', 'S256'],
        token_endpoint_auth_methods_supported: ['client_secret_post', 'client_secret_basic'],
        scopes_supported: ['openid', 'email', 'profile'],
      },
    },
  },
  github: {
    name: 'GitHub',
    issuer: 'https://github.com/login/oauth',
    documents: {
      'https://github.com/.well-known/oauth-authorization-server/login/oauth': {
        issuer: 'https://github.com/login/oauth',
        authorization_endpoint: 'https://github.com/login/oauth/authorize',
        token_endpoint: 'https://github.com/login/oauth/access_token',
        response_types_supported: ['code'],
        grant_types_supported: ['authorization_code', 'refresh_token'],
        code_challenge_methods_supported: ['S256'],
      },
    },
  },
  cognito: {
    name: 'Amazon Cognito',
    issuer: 'https://cognito-idp.eu-central-1.amazonaws.com/eu-central-1_Abc123',
    documents: {
      'https://cognito-idp.eu-central-1.amazonaws.com/eu-central-1_Abc123/.well-known/openid-configuration':
        {
          issuer: 'https://cognito-idp.eu-central-1.amazonaws.com/eu-central-1_Abc123',
          authorization_endpoint:
            'https://pool.auth.eu-central-1.amazoncognito.com/oauth2/authorize',
          token_endpoint: 'https://pool.auth.eu-central-1.amazoncognito.com/oauth2/token',
          token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
          scopes_supported: ['openid', 'email', 'phone', 'profile'],
        },
    },
  },
  auth0: {
    name: 'Auth0, whose issuer ends in a slash',
    issuer: 'https://tenant.eu.auth0.com',
    documents: {
      'https://tenant.eu.auth0.com/.well-known/oauth-authorization-server': {
        issuer: 'https://tenant.eu.auth0.com/',
        authorization_endpoint: 'https://tenant.eu.auth0.com/authorize',
        token_endpoint: 'https://tenant.eu.auth0.com/oauth/token',
        registration_endpoint: 'https://tenant.eu.auth0.com/oidc/register',
        code_challenge_methods_supported: ['S256', 'plain'],
        scopes_supported: ['openid', 'profile', 'offline_access'],
      },
    },
  },
  keycloak: {
    name: 'Keycloak, a realm',
    issuer: 'https://sso.example.com/realms/demo',
    documents: {
      'https://sso.example.com/realms/demo/.well-known/openid-configuration': {
        issuer: 'https://sso.example.com/realms/demo',
        authorization_endpoint: 'https://sso.example.com/realms/demo/protocol/openid-connect/auth',
        token_endpoint: 'https://sso.example.com/realms/demo/protocol/openid-connect/token',
        registration_endpoint:
          'https://sso.example.com/realms/demo/clients-registrations/openid-connect',
        code_challenge_methods_supported: ['plain', 'S256'],
        dpop_signing_alg_values_supported: ['ES256', 'RS256'],
        authorization_response_iss_parameter_supported: true,
      },
    },
  },
  okta: {
    name: 'Okta, plain OAuth metadata after the path',
    issuer: 'https://org.okta.com/oauth2/default',
    documents: {
      'https://org.okta.com/oauth2/default/.well-known/oauth-authorization-server': {
        issuer: 'https://org.okta.com/oauth2/default',
        authorization_endpoint: 'https://org.okta.com/oauth2/default/v1/authorize',
        token_endpoint: 'https://org.okta.com/oauth2/default/v1/token',
        registration_endpoint: 'https://org.okta.com/oauth2/v1/clients',
        code_challenge_methods_supported: ['S256'],
        scopes_supported: ['openid', 'offline_access'],
      },
    },
  },
} as const satisfies Record<string, Provider>

/** `fetch` that knows nothing but these documents. */
export function fetchOf({ documents }: Provider): typeof fetch {
  return async (input) => {
    const url = input instanceof Request ? input.url : String(input)
    const document = documents[url]
    return document ? Response.json(document) : new Response('not found', { status: 404 })
  }
}
