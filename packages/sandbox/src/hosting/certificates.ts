import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
} from 'node:crypto'
import { bits, integer, octets, oid, sequence, set, tagged, text, time, yes } from './der.ts'

const day = 86_400_000
const years = 365 * day

const ecdsaWithSha256 = () => sequence(oid('1.2.840.10045.4.3.2'))
const serverAuth = '1.3.6.1.5.5.7.3.1'

type Name = { organization: string; common: string }

type Request = {
  subject: Name
  issuer: Name
  /** The key that the certificate is about, and the one that signs it. */
  key: KeyObject
  signer: KeyObject
  from: number
  to: number
  /** Names of a host; none: an authority. */
  hosts?: readonly string[]
}

const nameOf = ({ organization, common }: Name) =>
  sequence(set(sequence(oid('2.5.4.10'), text(organization))), set(sequence(oid('2.5.4.3'), text(common))))

const spki = (key: KeyObject) => createPublicKey(key).export({ type: 'spki', format: 'der' })
const keyIdOf = (key: KeyObject) => createHash('sha1').update(spki(key)).digest()
const extension = (id: string, content: Buffer, isCritical = false) =>
  sequence(oid(id), ...(isCritical ? [yes()] : []), octets(content))

function extensionsOf({ key, signer, hosts }: Request): Buffer {
  const ids = [
    extension('2.5.29.14', octets(keyIdOf(key))),
    extension('2.5.29.35', sequence(tagged(0x80, keyIdOf(signer)))),
  ]
  if (!hosts) {
    const signsCertificates = bits(Buffer.from([0x06]), 1)
    return sequence(
      extension('2.5.29.19', sequence(yes()), true),
      extension('2.5.29.15', signsCertificates, true),
      ...ids,
    )
  }
  const signsHandshakes = bits(Buffer.from([0x80]), 7)
  return sequence(
    extension('2.5.29.19', sequence(), true),
    extension('2.5.29.15', signsHandshakes, true),
    extension('2.5.29.37', sequence(oid(serverAuth))),
    extension('2.5.29.17', sequence(...hosts.map((host) => tagged(0x82, Buffer.from(host, 'ascii'))))),
    ...ids,
  )
}

/** An X.509 certificate as PEM; Node reads them but writes none. */
function certify(request: Request): string {
  const body = sequence(
    tagged(0xa0, integer(Buffer.from([2]))),
    integer(Buffer.concat([Buffer.from([0x40]), randomBytes(15)])),
    ecdsaWithSha256(),
    nameOf(request.issuer),
    sequence(time(new Date(request.from)), time(new Date(request.to))),
    nameOf(request.subject),
    spki(request.key),
    tagged(0xa3, extensionsOf(request)),
  )
  const whole = sequence(body, ecdsaWithSha256(), bits(sign('sha256', body, request.signer)))
  return `-----BEGIN CERTIFICATE-----\n${whole.toString('base64').replace(/.{1,64}/g, '$&\n')}-----END CERTIFICATE-----\n`
}

const newKey = () => generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
const asPem = (key: KeyObject) => key.export({ type: 'pkcs8', format: 'pem' }).toString()

const authorityName: Name = { organization: 'Sandbox Trust Services', common: 'Sandbox Root' }

export type Authority = { key: string; certificate: string }

export function makeAuthority(now: number): Authority {
  const key = newKey()
  const name = authorityName
  const certificate = certify({
    subject: name,
    issuer: name,
    key,
    signer: key,
    from: now - 30 * day,
    to: now + 15 * years,
  })
  return { key: asPem(key), certificate }
}

export type HostCertificate = { key: string; cert: string }

/** A certificate for these names that is valid for `from` until `to`. */
export function makeHostCertificate(authority: Authority, hosts: string[], from: number, to: number): HostCertificate {
  const key = newKey()
  const cert = certify({
    subject: { organization: 'Sandbox Hosting', common: hosts[0] ?? 'nobody' },
    issuer: authorityName,
    key,
    signer: createPrivateKey(authority.key),
    from,
    to,
    hosts,
  })
  return { key: asPem(key), cert }
}
