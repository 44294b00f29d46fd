import type { Browser, Page } from '@playwright/test'
import { Secret, TOTP } from 'otpauth'
import { axe } from './support/axe.ts'
import { expectToFit } from './support/fit.ts'
import { api, consoleUrl, dataRows, expect, openSession, signIn, test } from './support/test.ts'

type Person = { id: string; name: string; email: string }
type Made = { user: { id: string }; link: string | null }
type Role = { role: { id: string; name: string } }

const firstPassword = 'harbour candle sixteen otters'
const ownPassword = 'violin marble thunder apricot'

const someone = () => {
  const mark = crypto.randomUUID().slice(0, 8)
  return { name: `Guest ${mark}`, email: `guest-${mark}@example.com` }
}

const send = <T>(path: string, body: object, method = 'POST') => api<T>(path, { method, body: JSON.stringify(body) })

/** Somebody with a temporary password, made by a script. */
async function addPerson(roleId = 'support'): Promise<Person> {
  const person = someone()
  const { user } = await send<Made>('/admin/users', {
    ...person,
    role_id: roleId,
    temporary_password: firstPassword,
    send_welcome_email: false,
  })
  return { ...person, id: user.id }
}

const addRole = async (requires: boolean) =>
  (
    await send<Role>('/admin/roles', {
      display_name: `Shift ${crypto.randomUUID().slice(0, 8)}`,
      permissions: ['customers.read'],
      requires_second_factor: requires,
    })
  ).role

/** A browser of somebody else's. */
async function otherBrowser(browser: Browser): Promise<Page> {
  const context = await browser.newContext()
  return context.newPage()
}

async function signInByEmail(page: Page, email: string, password: string): Promise<void> {
  await page.goto(`${consoleUrl()}/admin`)
  await page.getByRole('link', { name: 'Sign in with email' }).click()
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign In' }).click()
}

async function chooseOwnPassword(page: Page): Promise<void> {
  await expect(page.getByRole('heading', { name: 'Choose your password' })).toBeVisible()
  await page.getByLabel('New password', { exact: true }).fill(ownPassword)
  await page.getByRole('button', { name: 'Save password' }).click()
}

const inConsole = (page: Page) => page.getByRole('heading', { level: 1, name: 'Dashboard' })
const logOut = async (page: Page) => {
  await page.getByRole('button', { name: 'Logout' }).first().click()
  await expect(page.getByRole('heading', { name: 'Admin Login' })).toBeVisible()
}

const codeOf = (secret: string, laterMs = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + laterMs })

/** Sets up the authenticator app on the screen that shows its secret; answers the secret and the recovery codes. */
async function enrol(page: Page): Promise<{ secret: string; codes: string[] }> {
  await expect(page.getByRole('img', { name: 'QR code for the authenticator app' })).toBeVisible()
  const shown = page.locator('code').filter({ hasText: /^[A-Z2-7 ]{20,}$/ })
  const secret = ((await shown.textContent()) ?? '').replaceAll(' ', '')
  await page.getByLabel('Code from the app').fill(codeOf(secret))
  await page.getByRole('button', { name: 'Turn on' }).click()
  const list = page.getByRole('list', { name: 'Recovery codes' })
  await expect(list.getByRole('listitem')).toHaveCount(10)
  const codes = await list.getByRole('listitem').allTextContents()
  await page.getByRole('button', { name: 'I have saved them' }).click()
  return { secret, codes }
}

test('a new administrator comes in with a temporary password and chooses another', async ({ page, browser }) => {
  const person = someone()
  await signIn(page, '/admin/users')
  await page.getByRole('button', { name: 'Add Admin User' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Add Admin User' })
  await dialog.getByLabel('Name').fill(person.name)
  await dialog.getByLabel('Email', { exact: true }).fill(person.email)
  await expect(dialog.getByText('The user will be required to change the password on first login')).toBeVisible()
  await dialog.getByRole('button', { name: 'Generate' }).click()
  const generated = dialog.getByLabel('Temporary Password', { exact: true })
  await expect(generated).not.toHaveValue('')
  const temporary = await generated.inputValue()
  await dialog.getByRole('button', { name: 'Add Admin User' }).click()
  const result = page.getByRole('dialog', { name: 'Admin user added' })
  await expect(result.getByText(temporary)).toBeVisible()
  await result.getByRole('button', { name: 'Done' }).click()
  await expect(page.getByRole('row', { name: new RegExp(person.name) })).toContainText('Temporary password')

  const theirs = await otherBrowser(browser)
  await signInByEmail(theirs, person.email, temporary)
  await expect(theirs.getByRole('heading', { name: 'Choose your password' })).toBeVisible()
  await theirs.getByLabel('New password', { exact: true }).fill('password1')
  await theirs.getByRole('button', { name: 'Save password' }).click()
  await expect(theirs.getByRole('alert')).toContainText('too easy to guess')
  await chooseOwnPassword(theirs)
  await expect(inConsole(theirs)).toBeVisible()
  await logOut(theirs)
  await signInByEmail(theirs, person.email, temporary)
  await expect(theirs.getByText('Invalid email or password. Please try again.')).toBeVisible()
  await theirs.getByLabel('Password', { exact: true }).fill(ownPassword)
  await theirs.getByRole('button', { name: 'Sign In' }).click()
  await expect(inConsole(theirs)).toBeVisible()
  await theirs.context().close()
})

test('an invitation link lets somebody in once', async ({ page, browser }) => {
  const person = someone()
  await signIn(page, '/admin/users')
  await page.getByRole('button', { name: 'Add Admin User' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Add Admin User' })
  await dialog.getByLabel('Name').fill(person.name)
  await dialog.getByLabel('Email', { exact: true }).fill(person.email)
  await dialog.getByRole('radio', { name: /Invitation link/ }).check()
  await dialog.getByRole('button', { name: 'Add Admin User' }).click()
  const link = await page
    .getByRole('dialog', { name: 'Admin user added' })
    .locator('code')
    .filter({ hasText: '/welcome#' })
    .textContent()
  expect(link).toContain(`${consoleUrl()}/welcome#`)

  const theirs = await otherBrowser(browser)
  await theirs.goto(link ?? '')
  await expect(theirs.getByText(person.email)).toBeVisible()
  expect(theirs.url()).toBe(`${consoleUrl()}/welcome`)
  await theirs.getByLabel('New password', { exact: true }).fill(ownPassword)
  await theirs.getByRole('button', { name: 'Set password and sign in' }).click()
  await expect(inConsole(theirs)).toBeVisible()
  const stored = await theirs.evaluate(() => JSON.stringify({ ...localStorage }))
  expect(stored).not.toContain(link?.split('#')[1] ?? 'no token')

  const again = await otherBrowser(browser)
  await again.goto(link ?? '')
  await expect(again.getByRole('heading', { name: 'This link does not work' })).toBeVisible()
  await again.context().close()
  await theirs.context().close()
})

test('a second factor: set up in the profile, asked at the next sign-in, and a recovery code works once', async ({
  page,
}) => {
  const person = await addPerson()
  await signInByEmail(page, person.email, firstPassword)
  await chooseOwnPassword(page)
  await expect(inConsole(page)).toBeVisible()
  await page.getByRole('button', { name: `Account: ${person.name}` }).click()
  await page.getByRole('menuitem', { name: 'Profile' }).click()
  await page.getByRole('region', { name: 'Two-step verification' }).getByRole('button', { name: 'Turn on' }).click()
  await page.getByLabel('Your password', { exact: true }).fill(ownPassword)
  await page.getByRole('button', { name: 'Continue' }).click()
  const { secret, codes } = await enrol(page)
  await expect(page.getByText('10 of 10 recovery codes left.')).toBeVisible()
  await page.reload()
  await expect(page.getByText('10 of 10 recovery codes left.')).toBeVisible()

  await logOut(page)
  await signInByEmail(page, person.email, ownPassword)
  await expect(page.getByRole('heading', { name: 'Two-step verification' })).toBeVisible()
  await page.getByLabel('Code').fill(codeOf(secret, -10 * 60_000))
  await expect(page.getByRole('alert')).toContainText('not valid')
  // A code is good once, and the one of now was given when the factor was set up.
  await page.getByLabel('Code').fill(codeOf(secret, 30_000))
  await expect(inConsole(page)).toBeVisible()

  for (const works of [true, false]) {
    await logOut(page)
    await signInByEmail(page, person.email, ownPassword)
    await page.getByRole('button', { name: 'Use a recovery code' }).click()
    await page.getByLabel('Recovery code').fill(codes[0] ?? '')
    await page.getByRole('button', { name: 'Continue' }).click()
    if (works) await expect(inConsole(page)).toBeVisible()
    else await expect(page.getByRole('alert')).toContainText('not valid')
  }
  await page.getByLabel('Recovery code').fill(codes[1] ?? '')
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(inConsole(page)).toBeVisible()
})

test('a role that requires two-step verification wants it before anything else; an administrator resets a lost one', async ({
  page,
  browser,
}) => {
  const role = await addRole(true)
  const person = await addPerson(role.id)
  const theirs = await otherBrowser(browser)
  await signInByEmail(theirs, person.email, firstPassword)
  await chooseOwnPassword(theirs)
  await expect(theirs.getByRole('heading', { name: 'Set up two-step verification' })).toBeVisible()
  await theirs.reload()
  await expect(theirs.getByRole('heading', { name: 'Set up two-step verification' })).toBeVisible()
  await theirs.getByRole('button', { name: 'Begin' }).click()
  await enrol(theirs)
  await expect(inConsole(theirs)).toBeVisible()

  await signIn(page, `/admin/users?search=${encodeURIComponent(person.name)}`)
  await page.getByRole('button', { name: `Actions for ${person.name}` }).click()
  await page.getByRole('menuitem', { name: 'Reset Two-Step Verification' }).click()
  await page.getByRole('button', { name: 'Reset two-step verification' }).click()
  await expect(page.getByText(`Reset the two-step verification of ${person.name}.`, { exact: false })).toBeVisible()

  await theirs.goto(`${consoleUrl()}/admin/customers`)
  await expect(theirs.getByRole('heading', { name: 'Admin Login' })).toBeVisible()
  await signInByEmail(theirs, person.email, ownPassword)
  await expect(theirs.getByRole('heading', { name: 'Set up two-step verification' })).toBeVisible()
  await theirs.context().close()
})

test('a live session stops when its role comes to require more, and ends when the person is deactivated', async ({
  page,
  browser,
}) => {
  const role = await addRole(false)
  const person = await addPerson(role.id)
  const theirs = await otherBrowser(browser)
  await signInByEmail(theirs, person.email, firstPassword)
  await chooseOwnPassword(theirs)
  await expect(inConsole(theirs)).toBeVisible()
  await theirs.goto(`${consoleUrl()}/admin/customers`)
  await expect(dataRows(theirs).first()).toBeVisible()
  await send(`/admin/roles/${role.id}`, { requires_second_factor: true }, 'PATCH')
  await theirs.goto(`${consoleUrl()}/admin/customers?status=active`)
  await expect(theirs.getByRole('heading', { name: 'Set up two-step verification' })).toBeVisible()
  await send(`/admin/roles/${role.id}`, { requires_second_factor: false }, 'PATCH')
  await theirs.reload()
  await expect(dataRows(theirs).first()).toBeVisible()

  await signIn(page, `/admin/users?search=${encodeURIComponent(person.name)}`)
  await page.getByRole('button', { name: `Actions for ${person.name}` }).click()
  await page.getByRole('menuitem', { name: 'Deactivate' }).click()
  await expect(page.getByText('One open session ends at once.')).toBeVisible()
  await page.getByRole('button', { name: `Deactivate ${person.name}` }).click()
  await expect(page.getByText(`Deactivated ${person.name}`)).toBeVisible()
  await theirs.goto(`${consoleUrl()}/admin/customers`)
  await expect(theirs.getByRole('heading', { name: 'Admin Login' })).toBeVisible()
  await theirs.context().close()
})

const stillLoading = (page: Page) => page.locator('[aria-busy="true"]')

async function expectNoViolations(page: Page, what: string): Promise<void> {
  await expect(stillLoading(page), what).toHaveCount(0)
  const { violations } = await axe(page).analyze()
  expect(violations.map((one) => `${what}: ${one.id} ${one.nodes[0]?.html}`)).toEqual([])
}

test('the screens of people and roles pass axe', { tag: '@long' }, async ({ page }) => {
  await addPerson()
  await openSession(page)
  for (const search of ['', '?tab=roles', '?tab=permissions', '?tab=activity', '?tab=profile']) {
    await page.goto(`${consoleUrl()}/admin/users${search}`)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expectNoViolations(page, search)
  }
})

test('the dialogs to add a person and a role pass axe', { tag: '@long' }, async ({ page }) => {
  await signIn(page, '/admin/users?tab=roles')
  await page.getByRole('button', { name: 'Add Role' }).click()
  await expect(page.getByRole('dialog', { name: 'Add Role' })).toBeVisible()
  await expectNoViolations(page, 'Add Role')
  await page.goto(`${consoleUrl()}/admin/users`)
  await page.getByRole('button', { name: 'Add Admin User' }).first().click()
  await expect(page.getByRole('dialog', { name: 'Add Admin User' })).toBeVisible()
  await expectNoViolations(page, 'Add Admin User')
})

test('the details of a person pass axe', { tag: '@long' }, async ({ page }) => {
  const person = await addPerson()
  await openSession(page)
  for (const view of ['overview', 'permissions', 'sessions', 'activity']) {
    await page.goto(`${consoleUrl()}/admin/users?open=${person.id}&view=${view}`)
    await expect(page.getByRole('dialog')).toBeVisible()
    await expectNoViolations(page, view)
  }
})

const widths = [320, 390, 900, 3840]

test(`the login by email does not scroll sideways at ${widths.join(', ')} px`, { tag: '@long' }, async ({ page }) => {
  await page.goto(`${consoleUrl()}/admin`)
  await page.getByRole('link', { name: 'Sign in with email' }).click()
  await expect(page.getByLabel('Email')).toBeVisible()
  await expectToFit(page, widths, 'login')
})

for (const search of ['', '?tab=roles', '?tab=permissions', '?tab=activity', '?tab=profile']) {
  test(`/admin/users${search} does not scroll sideways at ${widths.join(', ')} px`, { tag: '@long' }, async ({
    page,
  }) => {
    await openSession(page)
    await page.setViewportSize({ width: widths[0] ?? 0, height: 900 })
    await page.goto(`${consoleUrl()}/admin/users${search}`)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expectToFit(page, widths, search)
  })
}
