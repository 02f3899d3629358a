/** Explains an error code of Node to a user, and what to do about it; undefined for a code that needs no explanation. */
export function explainSystemCode(systemCode = ''): readonly [what?: string, hint?: string] {
  switch (systemCode) {
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return ['its name does not resolve', 'Check the host in the URL, and the network.']
    case 'ECONNREFUSED':
      return ['nothing listens there', 'Start the server, or check the port in the URL.']
    case 'ETIMEDOUT':
    case 'UND_ERR_CONNECT_TIMEOUT':
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
      return [
        'no way to it, or no answer',
        'Check the network; set HTTPS_PROXY if there is a proxy.',
      ]
    case 'EPROTO':
    case 'ERR_SSL_WRONG_VERSION_NUMBER':
    case 'ERR_SSL_PACKET_LENGTH_TOO_LONG':
      return [
        'there is no TLS on that port',
        'Perhaps the URL should begin with http:, not https:.',
      ]
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return ['its certificate is for another name', 'Use the name the certificate was made for.']
    case 'CERT_HAS_EXPIRED':
      return ['its certificate has expired', 'The operator of the server has to renew it.']
    default:
      return /CERT|SIGNATURE|ISSUER/.test(systemCode)
        ? [
            `its certificate is not trusted (${systemCode})`,
            'Name your own authority in NODE_EXTRA_CA_CERTS.',
          ]
        : []
  }
}
