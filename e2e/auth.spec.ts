import { adminKey, api, consoleUrl, expect, signIn, test } from './support/test.ts'

test.describe('signing in', () => {
  test('asks for the key, refuses an empty and a wrong one with the given words', async ({ page }) => {
    await page.goto(`${consoleUrl()}/admin`)
    await expect(page.getByRole('heading', { name: 'Admin Login' })).toBeVisible()
    await page.getByLabel('Admin Key').fill('   ')
    await page.getByRole('button', { name: 'Sign In' }).click()
    await expect(page.getByText('Please enter an admin key')).toBeVisible()
    await page.getByLabel('Admin Key').fill('not the key of this console')
    await page.getByRole('button', { name: 'Sign In' }).click()
    await expect(page.getByText('Invalid admin key. Please try again.')).toBeVisible()
  })

  test('says so when the server cannot be asked', async ({ page }) => {
    await page.goto(`${consoleUrl()}/admin`)
    await page.route('**/api/auth/login', (route) => route.abort())
    await page.getByLabel('Admin Key').fill(adminKey())
    await page.getByRole('button', { name: 'Sign In' }).click()
    await expect(page.getByText('Authentication failed. Please try again.')).toBeVisible()
  })

  test('goes to the address that was asked for and keeps only a session key', async ({ page }) => {
    await signIn(page, '/admin/customers?status=active')
    await expect(page).toHaveURL(/\/admin\/customers\?status=active/)
    const stored = await page.evaluate(() => localStorage.getItem('adminKey'))
    expect(stored).toBeTruthy()
    expect(stored).not.toBe(adminKey())
    const answer = await fetch(`${consoleUrl()}/api/auth/session`, { headers: { 'x-admin-key': stored ?? '' } })
    expect(answer.status).toBe(200)
  })

  test('logging out revokes the key in every tab and goes to /admin', async ({ page, context }) => {
    await signIn(page, '/admin/customers')
    const other = await context.newPage()
    await other.goto(`${consoleUrl()}/admin/subscriptions`)
    await expect(other.getByRole('heading', { level: 1 })).toBeVisible()
    const stored = await page.evaluate(() => localStorage.getItem('adminKey'))
    await page.getByRole('button', { name: 'Logout' }).first().click()
    await expect(page.getByRole('heading', { name: 'Admin Login' })).toBeVisible()
    await expect(page).toHaveURL(/\/admin$/)
    await expect(other.getByRole('heading', { name: 'Admin Login' })).toBeVisible()
    const answer = await fetch(`${consoleUrl()}/api/auth/session`, { headers: { 'x-admin-key': stored ?? '' } })
    expect(answer.status).toBe(401)
  })
})

test('the admin key works for scripts, with every permission', async () => {
  const state = await api<{ actor: { name: string; role: string } }>('/auth/session')
  expect(state.actor).toMatchObject({ name: 'Admin key', role: 'super_admin' })
})
