import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes, randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { link, mkdir, readFile, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../config.ts'

/** Keeps what must not lie readable in the database or its backups. */
export type SecretBox = {
  seal(text: string): string
  /** null when it was sealed with another key or was changed since. */
  open(sealed: string): string | null
  /** Proves that a text was written here; `purpose` keeps what is signed for one thing from counting for another. */
  sign(purpose: string, text: string): string
  /** Tells two keys apart without saying anything about them. */
  fingerprint: string
}

/** The box of an application; `ctx.instance(createSecretBox)`. */
export const createSecretBox = (ctx: { config: Pick<Config, 'secretsKey' | 'dataDir'> }): Promise<SecretBox> =>
  openSecretBox(ctx.config)

const format = 'v1'
const keyFile = 'secrets-key'

export const secretsKeyFile = (dataDir: string): string => join(dataDir, keyFile)

/** null: there is no key yet. Unlike opening, this makes none. */
export async function findSecretBox(config: Pick<Config, 'secretsKey' | 'dataDir'>): Promise<SecretBox | null> {
  const hasKey = config.secretsKey !== undefined || existsSync(secretsKeyFile(config.dataDir))
  return hasKey ? openSecretBox(config) : null
}

/** The key is SECRETS_KEY, else a file in the data folder that the first start makes. */
export async function openSecretBox(config: Pick<Config, 'secretsKey' | 'dataDir'>): Promise<SecretBox> {
  const text = config.secretsKey ?? (await keyOfFile(config.dataDir))
  const key = createHash('sha256').update('agency-console secrets\0').update(text).digest()
  return {
    fingerprint: createHmac('sha256', key).update('fingerprint').digest('hex').slice(0, 32),
    sign(purpose, text) {
      return createHmac('sha256', key).update(`${purpose}\0${text}`).digest('base64url')
    },
    seal(plain) {
      const iv = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', key, iv)
      const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
      return [
        format,
        iv.toString('base64url'),
        cipher.getAuthTag().toString('base64url'),
        body.toString('base64url'),
      ].join('.')
    },
    open(sealed) {
      const [version, iv, tag, body] = sealed.split('.')
      if (version !== format || !iv || !tag || body === undefined) return null
      try {
        const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(iv, 'base64url'))
        decipher.setAuthTag(Buffer.from(tag, 'base64url'))
        return Buffer.concat([decipher.update(Buffer.from(body, 'base64url')), decipher.final()]).toString('utf8')
      } catch {
        return null
      }
    },
  }
}

async function keyOfFile(dataDir: string): Promise<string> {
  const path = secretsKeyFile(dataDir)
  await mkdir(dataDir, { recursive: true })
  const fresh = `${path}.${randomUUID()}`
  await writeFile(fresh, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600 })
  try {
    // Two consoles that start at once must end with the same key, and never read half of it.
    await link(fresh, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    await unlink(fresh)
  }
  return (await readFile(path, 'utf8')).trim()
}
