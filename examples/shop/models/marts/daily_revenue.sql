select
    order_date,
    sum(line_amount) + sum(shipping_fee) as revenue
from {{ ref('order_lines') }}
group by order_date
