import about from './nl/about.json';
import common from './nl/common.json';
import company from './nl/company.json';
import learn from './nl/learn.json';
import log from './nl/log.json';
import pages from './nl/pages.json';
import refusals from './nl/refusals.json';
import rules from './nl/rules.json';
import table from './nl/table.json';

export default {
  ...about,
  ...common,
  ...company,
  ...learn,
  ...log,
  ...pages,
  ...refusals,
  ...rules,
  ...table,
};
