import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { axe } from './support/axe.ts'
import { exportAs } from './support/exports.ts'
import { expectToFit } from './support/fit.ts'
import { unique } from './support/sites.ts'
import { adminKey, api, consoleUrl, dataRows, expect, signIn, test } from './support/test.ts'

type Entry = { action: string; outcome: string; resource_id: string | null }

const path = '/admin/tools/database'
const entriesOf = async (action: string, limit = 1) =>
  (await api<{ entries: Entry[] }>(`/admin/audit?action=${action}&limit=${limit}`)).entries
const editor = (page: Page) => page.getByRole('textbox', { name: 'SQL query' })
const execute = (page: Page) => page.getByRole('button', { name: 'Execute Query' })
const results = (page: Page) => page.getByRole('table', { name: 'Query results' })
const history = (page: Page) => page.getByRole('table', { name: 'Query History' })

/** Of rows that are not kept: else it may end by what it writes to disk. */
const endless = 'select count(*) from generate_series(1, 1000000) a, generate_series(1, 1000000) b'

async function type(page: Page, query: string): Promise<void> {
  await editor(page).fill(query)
}

async function ask(page: Page, query: string): Promise<void> {
  await type(page, query)
  await execute(page).click()
}

async function open(page: Page): Promise<void> {
  await signIn(page, path)
  await expect(editor(page)).toBeVisible()
}

test('a query shows its rows, stands in the history, and is written to the audit log', async ({ page }) => {
  await open(page)
  await expect(page.getByRole('heading', { level: 1, name: 'Admin Tools' })).toBeVisible()
  await expect(execute(page)).toBeDisabled()
  await type(page, '   ')
  await expect(execute(page)).toBeDisabled()
  const mark = unique()
  await ask(page, `select '${mark}' as mark, 12.50 as amount, null as nothing`)
  const row = results(page).getByRole('row').nth(1)
  await expect(row).toContainText(mark)
  await expect(row).toContainText('NULL')
  await expect(page.getByRole('status').filter({ hasText: '1 row' })).toBeVisible()
  const first = dataRows(history(page)).first()
  await expect(first).toContainText(mark)
  await expect(first).toContainText('Success')
  expect(await entriesOf('sql.execute')).toMatchObject([{ outcome: 'done' }])

  await page.getByRole('button', { name: 'Clear', exact: true }).click()
  await expect(results(page)).toBeHidden()
  await expect(execute(page)).toBeDisabled()
  await first.getByRole('button').first().click()
  await expect(editor(page)).toContainText(mark)
})

test('five queries are shown, and all are found by their words', async ({ page }) => {
  await open(page)
  const mark = unique()
  for (let n = 1; n <= 6; n++) {
    await ask(page, `select ${n} as n_${mark}`)
    await expect(dataRows(history(page)).first()).toContainText(`select ${n} as n_${mark}`)
  }
  await expect(dataRows(history(page))).toHaveCount(5)
  await page.getByRole('link', { name: 'All queries' }).click()
  const dialog = page.getByRole('dialog', { name: 'All queries' })
  await dialog.getByRole('searchbox').fill(`1 as n_${mark}`)
  await expect(dataRows(dialog)).toHaveCount(1)
  await dataRows(dialog).first().getByRole('button').first().click()
  await expect(dialog).toBeHidden()
  await expect(editor(page)).toContainText(`select 1 as n_${mark}`)
})

test('what is wrong is told with its place, and what may not be is refused', async ({ page }) => {
  await open(page)
  await ask(page, 'select amont\nfrom payments')
  await expect(page.getByRole('alert').filter({ hasText: 'column "amont" does not exist' })).toBeVisible()
  await expect(page.getByRole('alert').filter({ hasText: 'Line 1, column 8.' })).toBeVisible()
  await ask(page, 'delete from payments')
  await expect(
    page.getByRole('alert').filter({ hasText: 'DELETE is not allowed here: this runs SELECT only' }),
  ).toBeVisible()
  await expect(dataRows(history(page)).first()).toContainText('Error')
  expect(await entriesOf('sql.refuse')).toMatchObject([{ outcome: 'denied' }])
})

test('Cancel ends a query that does not end by itself', async ({ page }) => {
  await open(page)
  await ask(page, endless)
  await expect(page.getByRole('status').filter({ hasText: 'Waiting for the answer' })).toBeVisible()
  await expect(execute(page)).toBeDisabled()
  // Also while the pointer that pressed it has not moved.
  const [shown, muted] = await execute(page).evaluate(async (button) => {
    await Promise.allSettled(button.getAnimations().map(({ finished }) => finished))
    const probe = button.cloneNode(true) as HTMLElement
    button.after(probe)
    const colours = [button, probe].map((element) => getComputedStyle(element).backgroundColor)
    probe.remove()
    return colours
  })
  expect(shown).toBe(muted)
  await page.getByRole('button', { name: 'Cancel', exact: true }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'Cancelled' })).toBeVisible()
  await expect(dataRows(history(page)).first()).toContainText('Cancelled')
  await expect(execute(page)).toBeEnabled()
  expect(await entriesOf('sql.cancel')).toMatchObject([{ outcome: 'done' }])
})

test('behind as many queries as may run at once one waits, says so, and has its turn', async ({ page }) => {
  await open(page)
  const others = [0, 1].map(() => ({ id: crypto.randomUUID().replaceAll('-', ''), query: endless }))
  const cancel = (id: string) => api(`/admin/sql/queries/${id}/cancel`, { method: 'POST' })
  const running = others.map((other) => api('/admin/sql/queries', { method: 'POST', body: JSON.stringify(other) }))
  await expect(dataRows(history(page)).filter({ hasText: 'Processing' })).toHaveCount(others.length)
  await ask(page, 'select 5 as five')
  await expect(page.getByRole('status').filter({ hasText: 'Waiting behind other queries' })).toBeVisible()
  await expect(dataRows(history(page)).first()).toContainText('Waiting')
  await cancel(others[0]!.id)
  await expect(results(page).getByRole('row').nth(1)).toContainText('5')
  await cancel(others[1]!.id)
  await Promise.all(running)
})

test('a thousand rows of more are shown, and the export says so too', async ({ page }) => {
  await open(page)
  await ask(page, 'select n from generate_series(1, 100001) n')
  await expect(page.getByText('Showing 1,000 of more')).toBeVisible()
  await expect(results(page)).toHaveAttribute('aria-rowcount', '1001')
  await results(page).getByRole('row').nth(3).hover()
  expect(await results(page).getByRole('row').count()).toBeLessThan(100)
  const file = await exportAs(page, 'CSV')
  expect(file.suggestedFilename()).toMatch(/^sql-result-.*-first-100000-rows\.csv$/)
  const lines = (await readFile(await file.path(), 'utf8')).trim().split('\n')
  expect(lines).toHaveLength(100_001)
})

test('parameters, a plan and a chart', async ({ page }) => {
  await open(page)
  await type(
    page,
    'select status, count(*) as payments from payments where amount > $1 group by status order by status',
  )
  await page.getByLabel('$1', { exact: true }).fill('100')
  await editor(page).press('Control+Enter')
  await expect(results(page).getByRole('columnheader')).toHaveText(['status', 'payments'])
  await page.getByRole('button', { name: 'Chart' }).click()
  await expect(page.getByRole('heading', { name: 'payments by status' })).toBeVisible()
  await page.getByRole('button', { name: 'Explain' }).click()
  await page.getByRole('menuitem', { name: 'Run and measure' }).click()
  const plan = page.getByRole('list', { name: 'Query plan' })
  await expect(plan).toContainText(/Scan.* on payments/)
  await expect(plan).toContainText('of the time')
  expect(await entriesOf('sql.explain')).toMatchObject([{ outcome: 'done' }])
})

test('a query is kept as a snippet, used, renamed and deleted', async ({ page }) => {
  const name = `Big payments ${unique()}`
  await open(page)
  await type(page, 'select id from payments where amount > 100000')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Save snippet' })
  await dialog.getByLabel('Name').fill(name)
  await dialog.getByRole('switch', { name: /Share/ }).check()
  await dialog.getByRole('button', { name: 'Save snippet' }).click()
  await expect(dialog).toBeHidden()
  await page.getByRole('button', { name: 'Clear', exact: true }).click()
  await page.getByRole('link', { name: 'Snippets' }).click()
  const list = page.getByRole('list', { name: 'Snippets' })
  const saved = list.getByRole('button', { name: new RegExp(`^${name}`) })
  await expect(saved).toContainText('shared')
  await saved.click()
  await expect(editor(page)).toContainText('amount > 100000')
  await page.getByRole('button', { name: `Actions for ${name}` }).click()
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  const edit = page.getByRole('dialog', { name: 'Edit snippet' })
  await edit.getByLabel('Name').fill(`${name} anew`)
  await edit.getByRole('button', { name: 'Save changes' }).click()
  await page.getByRole('button', { name: `Actions for ${name} anew` }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  const remove = page.getByRole('alertdialog', { name: 'Delete snippet' })
  await remove.getByRole('button', { name: 'Delete snippet' }).click()
  // What lies behind a dialog is no part of the page for as long as that is open.
  await expect(remove).toBeHidden()
  await expect(list.getByText(`${name} anew`)).toBeHidden()
  for (const action of ['create', 'update', 'delete'])
    expect(await entriesOf(`sql_snippet.${action}`)).toMatchObject([{ outcome: 'done' }])
})

async function makeChange(page: Page, query: string, reason = 'Put right by hand'): Promise<void> {
  await type(page, query)
  await execute(page).click()
  const dialog = page.getByRole('dialog', { name: 'Make a change' })
  await dialog.getByLabel('Reason').fill(reason)
  await dialog.getByLabel('Admin key', { exact: true }).fill(adminKey())
  await dialog.getByRole('button', { name: 'Make the change' }).click()
}

test('a change is shown before and after, taken back or kept, each with its reason', async ({ page }) => {
  const id = unique()
  const noteOf = async () => {
    const body = JSON.stringify({
      id: crypto.randomUUID().replaceAll('-', ''),
      query: `select text from customer_notes where id = '${id}'`,
    })
    return (await api<{ rows: string[][] }>('/admin/sql/queries', { method: 'POST', body })).rows[0]?.[0]
  }
  await open(page)
  await page.getByRole('switch', { name: 'Write mode' }).check()
  const insert = `insert into customer_notes (id, customer_id, text, author_type, author_id, author_name, created_at)
    values ('${id}', 'cus_none', 'First', 'user', 'u', 'U', now())`
  await makeChange(page, insert)
  const pending = page.getByRole('region', { name: /^Not committed yet/ })
  await expect(pending).toContainText('1 row added to customer_notes')
  expect(await noteOf()).toBeUndefined()
  await pending.getByRole('button', { name: 'Roll back' }).click()
  await expect(pending).toBeHidden()
  expect(await noteOf()).toBeUndefined()
  expect(await entriesOf('sql.roll_back')).toMatchObject([{ outcome: 'done' }])

  await makeChange(page, insert)
  await pending.getByRole('button', { name: 'Commit' }).click()
  await expect(pending).toBeHidden()
  expect(await noteOf()).toBe('First')
  await makeChange(page, `update customer_notes set text = 'Second' where id = '${id}'`, 'A slip of the pen')
  await expect(pending.getByRole('region', { name: 'Before', exact: true })).toContainText('First')
  await expect(pending.getByRole('region', { name: 'After', exact: true })).toContainText('Second')
  await expect(pending).toContainText('A slip of the pen')
  await page.reload()
  await pending.getByRole('button', { name: 'Commit' }).click()
  await expect(pending).toBeHidden()
  expect(await noteOf()).toBe('Second')
  expect(await entriesOf('sql.commit')).toMatchObject([{ outcome: 'done' }])
  await page.getByRole('switch', { name: 'Write mode' }).check()
  await makeChange(page, `delete from customer_notes where id = '${id}'`)
  await pending.getByRole('button', { name: 'Commit' }).click()
  await expect(pending).toBeHidden()
})

test('a change without WHERE is warned of, and some tables are never changed', async ({ page }) => {
  await open(page)
  await page.getByRole('switch', { name: 'Write mode' }).check()
  await makeChange(page, `update maintenance_windows set title = title || '.'`)
  const dialog = page.getByRole('dialog', { name: 'Make a change' })
  await expect(dialog.getByRole('alert')).toContainText('this changes every row')
  await dialog.getByRole('checkbox', { name: 'Change every row' }).check()
  await dialog.getByLabel('Admin key', { exact: true }).fill('not the admin key at all')
  await dialog.getByRole('button', { name: 'Make the change' }).click()
  await expect(dialog.getByText('This is not the admin key')).toBeVisible()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await makeChange(page, 'delete from audit_entries')
  await expect(page.getByRole('alert').filter({ hasText: 'the audit log is append-only' })).toBeVisible()
})

test('a figure of a report leads here as the query that it is', async ({ page }) => {
  await signIn(page, '/admin/reports/revenue')
  const shown = page.getByRole('article').filter({ hasText: 'Total Sites' })
  await expect(shown).toContainText(/\d/)
  const figure = /\d[\d,]*/.exec((await shown.textContent())?.replace('Total Sites', '') ?? '')?.[0]
  await page.getByRole('button', { name: 'Copy as SQL' }).click()
  await page.getByRole('menuitem', { name: 'Total Sites' }).click()
  await expect(page).toHaveURL(/\/admin\/tools\/database/)
  await expect(editor(page)).toContainText('from sites')
  await execute(page).click()
  await expect(results(page).getByRole('cell').first()).toHaveText(figure?.replaceAll(',', '') ?? '')
})

test('whoever may not query is told so', async ({ page }) => {
  const [email, temporary] = [`guest-${unique()}@example.com`, 'harbour candle sixteen otters']
  const send = <T>(to: string, body: object, key = adminKey()) =>
    api<T>(to, { method: 'POST', body: JSON.stringify(body), headers: { 'x-admin-key': key } })
  const person = {
    name: 'Sam Sales',
    email,
    role_id: 'admin',
    temporary_password: temporary,
    send_welcome_email: false,
  }
  await send('/admin/users', person)
  const half = await send<{ session_key: string }>('/auth/login/email', { email, password: temporary })
  const chosen = { password: 'violin marble thunder apricot' }
  const { session_key } = await send<{ session_key: string }>('/auth/first-password', chosen, half.session_key)
  await page.addInitScript((key) => localStorage.setItem('adminKey', key), session_key)
  await page.goto(`${consoleUrl()}${path}`)
  await expect(page.getByText("You can't open this screen")).toBeVisible()
  await expect(editor(page)).toBeHidden()
})

test('it passes axe, fits, and works without a pointer', { tag: '@long' }, async ({ page }) => {
  await open(page)
  await editor(page).focus()
  // For 75 ms after it opens the list takes no key: it came between somebody and what they were typing. A press that comes
  // as soon as the list can be seen may be too early every time.
  await expect(async () => {
    await page.keyboard.press('Control+a')
    await page.keyboard.type('select * from charg')
    await expect(page.getByRole('listbox')).toContainText('charges', { timeout: 5000 })
    await page.waitForTimeout(150)
    await page.keyboard.press('Enter')
    await expect(editor(page)).toHaveText('select * from charges', { timeout: 2000 })
  }).toPass()
  await page.keyboard.press('Control+Enter')
  await expect(results(page)).toBeVisible()
  await page.keyboard.press('Tab')
  await expect(execute(page)).toBeFocused()
  const { violations } = await axe(page).analyze()
  expect(violations.map(({ id, nodes }) => `${id} ${nodes[0]?.html}`)).toEqual([])
  await expectToFit(page, [1440, 900, 390], 'the query console')
})
