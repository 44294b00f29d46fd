import { createSecureContext, type SecureContext } from 'node:tls'
import type { SiteBehaviour } from '../cloudflare/demo-sites.ts'
import { certificateTerms } from './behaviour.ts'
import { type Authority, makeHostCertificate } from './certificates.ts'
import type { Sites } from './sites.ts'
import { localHostOf } from './types.ts'

/** The certificates of the hosts, each made when somebody asks for it first. */
export function createSecureContexts(authority: Authority, sites: Sites, wallNow: () => number) {
  const made = new Map<string, { behaviour: SiteBehaviour; context: SecureContext }>()

  return async (host: string): Promise<SecureContext> => {
    const site = sites.find(host)
    const behaviour = site ? sites.behaviourOf(site) : 'ok'
    const name = site?.domain ?? 'nobody.example'
    const known = made.get(name)
    if (known?.behaviour === behaviour) return known.context
    const terms = certificateTerms(behaviour, name, wallNow())
    const hosts = site && terms.host === name ? [name, `www.${name}`, localHostOf(site)] : [terms.host]
    const certificate = await makeHostCertificate(authority, { ...terms, hosts })
    const context = createSecureContext({
      key: authority.hosts.privateKey,
      cert: terms.isSelfSigned ? certificate : `${certificate}${authority.certificate}`,
    })
    made.set(name, { behaviour, context })
    return context
  }
}
