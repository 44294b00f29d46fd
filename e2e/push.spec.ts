import { createECDH, randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { type Browser, type CDPSession, chromium, type Page } from '@playwright/test'
import { consoleUrl, expect, signIn, test } from './support/test.ts'

/** The headless shell, in which the other tests run, has neither push nor notifications. */
const wholeChromium = process.env['WHOLE_CHROMIUM_PATH'] ?? '/usr/bin/chromium'
const reason = `needs a whole Chromium at ${wholeChromium}, or WHOLE_CHROMIUM_PATH: the headless shell has no push`

let browser: Browser | undefined
let page: Page

test.beforeEach(async () => {
  test.skip(!existsSync(wholeChromium), reason)
  browser = await chromium.launch({
    executablePath: wholeChromium,
    args: process.getuid?.() === 0 ? ['--no-sandbox', '--disable-gpu'] : ['--disable-gpu'],
  })
  const context = await browser.newContext()
  await context.grantPermissions(['notifications'], { origin: consoleUrl() })
  page = await context.newPage()
})
test.afterEach(() => browser?.close())

/** Stands in for the browser maker's push service, which no test may ask; all else is the browser's own. */
async function withoutPushService(endpoint: string): Promise<void> {
  const keys = createECDH('prime256v1')
  keys.generateKeys()
  const given = { endpoint, p256dh: [...keys.getPublicKey()], auth: [...randomBytes(16)] }
  await page.addInitScript(({ endpoint: address, p256dh, auth }) => {
    const subscription = {
      endpoint: address,
      getKey: (name: string) => new Uint8Array(name === 'auth' ? auth : p256dh).buffer,
      unsubscribe: async () => {
        sessionStorage.removeItem('subscribed')
        return true
      },
    }
    PushManager.prototype.subscribe = async () => {
      sessionStorage.setItem('subscribed', 'yes')
      return subscription as unknown as PushSubscription
    }
    PushManager.prototype.getSubscription = async () =>
      sessionStorage.getItem('subscribed') ? (subscription as unknown as PushSubscription) : null
  }, given)
}

/** The worker of notifications, once the browser knows it. */
async function registrationOf(session: CDPSession): Promise<string> {
  const found = new Promise<string>((resolve) => {
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const own = registrations.find(({ scopeURL }) => scopeURL === `${consoleUrl()}/push/`)
      if (own) resolve(own.registrationId)
    })
  })
  await session.send('ServiceWorker.enable')
  return found
}

const shown = () =>
  page.evaluate(async () => {
    const registration = await navigator.serviceWorker.getRegistration('/push/')
    const notifications = (await registration?.getNotifications()) ?? []
    return notifications.map(({ title, body, data }) => ({ title, body, link: data?.link }))
  })

test('a browser is subscribed by a press, shows what is pushed, and is unsubscribed', async () => {
  await withoutPushService(`https://push.example.com/${randomBytes(8).toString('hex')}`)
  await signIn(page)
  await page.getByRole('button', { name: /^Notifications/ }).click()
  await page.getByRole('button', { name: 'Browser notifications' }).click()
  const dialog = page.getByRole('dialog', { name: 'Browser notifications' })
  await expect(dialog.getByText('Notifications are off in all your browsers.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Turn on in this browser' }).click()
  await expect(page.getByText('Notifications are on in this browser')).toBeVisible()
  await expect(dialog.getByText('On in this browser', { exact: true })).toBeVisible()
  await expect(dialog.getByRole('list', { name: 'Your browsers' })).toContainText('(this browser)')

  const session = await page.context().newCDPSession(page)
  const registrationId = await registrationOf(session)
  // The browser loses what is delivered through its tools while it starts or stops the worker.
  const shownAfter = (data: string) =>
    expect.poll(async () => {
      await session.send('ServiceWorker.deliverPushMessage', { origin: consoleUrl(), registrationId, data })
      return shown()
    })
  const message = { title: 'Harbor is down', severity: 'error', link: '/admin/alerts?open=alert_1', tag: 'alert_1' }
  await shownAfter(JSON.stringify(message)).toEqual([{ title: 'Harbor is down', body: 'Error', link: message.link }])
  // The same alert again takes the place of what is shown.
  const resolved = JSON.stringify({ ...message, title: 'Resolved: Harbor is down' })
  await shownAfter(resolved).toMatchObject([{ title: 'Resolved: Harbor is down' }])
  // What cannot be read is shown as little as may be, since a browser wants to see something for each message.
  await shownAfter('nonsense').toEqual(
    expect.arrayContaining([expect.objectContaining({ title: 'Agency Console', body: '' })]),
  )

  await dialog.getByRole('button', { name: /^Turn off / }).click()
  await expect(dialog.getByText('Notifications are off in all your browsers.')).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Turn on in this browser' })).toBeVisible()
})
