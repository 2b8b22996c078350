import fc from 'fast-check';
import environmentSchema from '../../schemas/environment.schema.json' with { type: 'json' };

const { properties } = environmentSchema;
const settings = properties.profile.properties;
const at = '2026-11-21T19:00:00.000Z';
const baseUrl = 'https://game.example/api';

const text = fc.constantFrom(
  'Sword',
  'a: b',
  '- x',
  '# no comment',
  'it\'s "it"',
  ' x ',
  'true',
  '12',
  '\u{1f600}',
  'x #1',
);
const variable = fc.constantFrom('STAGING_USERNAME', 'A', 'PASSWORD_2');
// biome-ignore lint/suspicious/noTemplateCurlyInString: that is how a variable is written there
const thumbnail = fc.constantFrom(null, '${CDN}/sword.png', 'https://cdn.example/x.png#a', '$${CDN}');
const number = fc.constantFrom(0, -3, 0.25, 1e-7, 123456789012, 60);
const lifecycle = fc.record(
  { protect: fc.boolean(), ignoreChanges: fc.constantFrom([], ['thumbnail']) },
  { requiredKeys: [] },
);
const option = fc.record({ name: text, dropRateMultiplier: number }, { requiredKeys: [] });
const classifier = fc.record(
  { name: text, options: fc.dictionary(fc.constantFrom('rare', 'common'), option), lifecycle },
  { requiredKeys: [] },
);
const item = fc.record(
  {
    name: text,
    rollNumerator: number,
    thumbnail,
    classifiers: fc.dictionary(
      fc.constantFrom('rarity', 'slot'),
      fc.constantFrom('rare', ['rare', 'common']),
    ),
    attributes: fc.dictionary(fc.constantFrom('damage'), fc.constantFrom({ min: 1 }, { max: 7, min: 3 })),
    lifecycle,
  },
  { requiredKeys: [] },
);
const probed = fc.record(
  {
    at: fc.constant(at),
    baseUrl: fc.constant(baseUrl),
    because: text,
    value: text,
    request: fc.constant('POST /items {"id": "x", "name": "A"}'),
    answer: fc.constant('200 {"id":"x"} # as it came'),
  },
  { requiredKeys: ['at', 'baseUrl', 'value'] },
);

/** What an environment file may say: every key of the schema, with values that need care in YAML. */
export const generatedEnvironment = fc.record(
  {
    baseUrl: fc.constant(baseUrl),
    teamId: text,
    userId: text,
    idNamespace: fc.constant('6f1c1c0e-5c1e-4c1a-9b1e-0d9f3c2b7a11'),
    credentials: fc.record({ usernameFrom: variable, passwordFrom: variable }, { requiredKeys: [] }),
    attributes: fc.dictionary(fc.constantFrom('damage', 'speed'), text),
    profile: fc.record(
      Object.fromEntries(Object.entries(settings).map(([key, each]) => [key, fc.constantFrom(...each.enum)])),
      { requiredKeys: [] },
    ),
    probed: fc.dictionary(fc.constantFrom(...Object.keys(settings)), probed, { maxKeys: 3 }),
    state: fc.record(
      { backend: fc.constant('file'), path: fc.constant('state/eu.json') },
      { requiredKeys: ['path'] },
    ),
    limits: fc.record({ maxCreates: fc.nat(500), maxUpdates: fc.nat(500) }, { requiredKeys: [] }),
    allowInsecureHttp: fc.boolean(),
    overrides: fc.record(
      {
        classifiers: fc.dictionary(fc.constantFrom('rarity', 'slot'), classifier),
        items: fc.dictionary(fc.constantFrom('sword', 'bow', 'ring'), item),
      },
      { requiredKeys: [] },
    ),
    only: fc.uniqueArray(fc.constantFrom('classifier.*', 'item.starter-*', 'item.sword'), { minLength: 1 }),
  },
  { requiredKeys: ['baseUrl', 'teamId'] },
);
