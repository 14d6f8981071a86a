import { expect, test } from 'vitest'
import { ApiError } from './errors.ts'
import { decodeForm } from './form.ts'
import { decodeParameters, flag, integer, list, metadata, object, oneOf, required, text, url } from './parameters.ts'

const members = {
  name: required(text(10)),
  amount: integer(0, 100),
  live: flag(),
  mode: oneOf('payment', 'setup'),
  address: url(),
  items: list(object({ price: required(integer(1)) }), 2),
  metadata: metadata(),
}
const decode = (form: string) => decodeParameters(members, decodeForm(form))

function refusalOf(form: string): Pick<ApiError, 'code' | 'param' | 'message'> {
  try {
    decode(form)
  } catch (error) {
    if (error instanceof ApiError) return error
  }
  throw new Error('it was not refused')
}

test('each parameter is decoded to its type', () => {
  expect(decode('name=x&amount=7&live=true&mode=setup&items[0][price]=1&items[1][price]=2&metadata[a]=b')).toEqual({
    name: 'x',
    amount: 7,
    live: true,
    mode: 'setup',
    address: undefined,
    items: [{ price: 1 }, { price: 2 }],
    metadata: { a: 'b' },
  })
})

test.each([
  ['', 'name', 'parameter_missing'],
  ['name=', 'name', 'parameter_invalid_empty'],
  ['name=12345678901', 'name', undefined],
  ['name[a]=x', 'name', undefined],
  ['name=x&amount=', 'amount', 'parameter_invalid_empty'],
  ['name=x&amount=1.0', 'amount', 'parameter_invalid_integer'],
  ['name=x&amount=1e3', 'amount', 'parameter_invalid_integer'],
  ['name=x&amount=-1', 'amount', 'parameter_invalid_integer'],
  ['name=x&amount=101', 'amount', 'parameter_invalid_integer'],
  ['name=x&amount=9007199254740993', 'amount', 'parameter_invalid_integer'],
  ['name=x&live=yes', 'live', undefined],
  ['name=x&mode=Payment', 'mode', undefined],
  ['name=x&address=javascript:alert(1)', 'address', 'url_invalid'],
  ['name=x&items=1', 'items', undefined],
  ['name=x&items[a][price]=1', 'items', undefined],
  ['name=x&items[1][price]=1', 'items', undefined],
  ['name=x&items[0][price]=1&items[1][price]=1&items[2][price]=1', 'items', undefined],
  ['name=x&items[0][prize]=1', 'items[0][prize]', 'parameter_unknown'],
  ['name=x&items[0][price]=0', 'items[0][price]', 'parameter_invalid_integer'],
  ['name=x&metadata=1', 'metadata', undefined],
  ['name=x&metadata[a][b]=1', 'metadata[a]', undefined],
  ['name=x&toString=1', 'toString', 'parameter_unknown'],
])('%s is refused, and the error names the parameter', (form, param, code) => {
  expect(refusalOf(form)).toMatchObject({ param })
  expect(refusalOf(form).code).toBe(code)
})
