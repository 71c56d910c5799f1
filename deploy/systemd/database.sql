-- Makes the owner of the tables and the database. OWNER_PASSWORD and SERVING_PASSWORD are in the environment, so that no list of
-- processes shows them. The migrations make the role of the gateways; one that an earlier installation left gets the new password.
\getenv owner OWNER_PASSWORD
\getenv serving SERVING_PASSWORD
SELECT 'CREATE ROLE rtms LOGIN CREATEROLE' WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'rtms') \gexec
ALTER ROLE rtms PASSWORD :'owner';
SELECT format('ALTER ROLE rtms_gateway PASSWORD %L', :'serving') WHERE EXISTS (SELECT FROM pg_roles WHERE rolname = 'rtms_gateway') \gexec
SELECT 'CREATE DATABASE rtms OWNER rtms' WHERE NOT EXISTS (SELECT FROM pg_database WHERE datname = 'rtms') \gexec
