import { generateKeyPair, randomBytes, sign } from 'node:crypto'
import { promisify } from 'node:util'
import type { pki } from 'node-forge'

const day = 86_400_000
const years = 365 * day

const generate = promisify(generateKeyPair)

export type KeyPair = { privateKey: string; publicKey: string }
/** `hosts`: the key that all hosts share, because it takes a while to find one. */
export type Authority = { certificate: string; keys: KeyPair; hosts: KeyPair }

type Request = {
  organization: string
  common: string
  key: string
  from: number
  to: number
}

const newKeys = (): Promise<KeyPair> =>
  generate('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })

/** Loaded when a certificate is made, not before: it holds several megabytes. */
const library = async () => (await import('node-forge')).default
type Library = Awaited<ReturnType<typeof library>>

function draft({ pki }: Library, { organization, common, key, from, to }: Request): pki.Certificate {
  const certificate = pki.createCertificate()
  certificate.publicKey = pki.publicKeyFromPem(key)
  certificate.serialNumber = `40${randomBytes(15).toString('hex')}`
  certificate.validity.notBefore = new Date(from)
  certificate.validity.notAfter = new Date(to)
  certificate.setSubject([
    { name: 'organizationName', value: organization },
    { name: 'commonName', value: common },
  ])
  return certificate
}

function signed({ pki, asn1, md }: Library, certificate: pki.Certificate, key: string): string {
  // The library's own arithmetic would hold up the thread for a tenth of a second.
  const signature = () => {
    const bytes = Buffer.from(asn1.toDer(certificate.tbsCertificate).getBytes(), 'binary')
    return sign('sha256', bytes, key).toString('binary')
  }
  certificate.sign({ ...pki.privateKeyFromPem(key), sign: signature }, md.sha256.create())
  return pki.certificateToPem(certificate).replaceAll('\r', '')
}

export async function makeAuthority(now: number): Promise<Authority> {
  const [keys, hosts] = await Promise.all([newKeys(), newKeys()])
  const forge = await library()
  const names = { organization: 'Sandbox Trust Services', common: 'Sandbox Root' }
  const certificate = draft(forge, { ...names, key: keys.publicKey, from: now - 30 * day, to: now + 15 * years })
  certificate.setIssuer(certificate.subject.attributes)
  certificate.setExtensions([
    { name: 'basicConstraints', cA: true, critical: true },
    { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
    { name: 'subjectKeyIdentifier' },
  ])
  return { certificate: signed(forge, certificate, keys.privateKey), keys, hosts }
}

const dnsName = 2

type HostTerms = { hosts: string[]; from: number; to: number; isSelfSigned?: boolean }

/** A certificate for these names that is valid for `from` until `to`, signed by the authority or by the host itself. */
export async function makeHostCertificate(authority: Authority, { hosts, from, to, isSelfSigned = false }: HostTerms) {
  const forge = await library()
  const names = { organization: 'Sandbox Hosting', common: hosts[0] ?? 'nobody' }
  const certificate = draft(forge, { ...names, key: authority.hosts.publicKey, from, to })
  const issuer = isSelfSigned ? certificate : forge.pki.certificateFromPem(authority.certificate)
  certificate.setIssuer(issuer.subject.attributes)
  certificate.setExtensions([
    { name: 'basicConstraints', cA: false, critical: true },
    { name: 'keyUsage', digitalSignature: true, critical: true },
    { name: 'extKeyUsage', serverAuth: true },
    { name: 'subjectAltName', altNames: hosts.map((value) => ({ type: dnsName, value })) },
    { name: 'subjectKeyIdentifier' },
    { name: 'authorityKeyIdentifier', keyIdentifier: issuer.generateSubjectKeyIdentifier().getBytes() },
  ])
  return signed(forge, certificate, (isSelfSigned ? authority.hosts : authority.keys).privateKey)
}
